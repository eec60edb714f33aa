/** The arms of a switch: what runs for which values, with fall-through written out. */
import type { Expression, Statement, SwitchStatement } from "acorn";
import { walk } from "../text/tree.js";

/** `tests` null: the default arm. */
export interface SwitchArm {
  readonly tests: readonly Expression[] | null;
  readonly body: readonly Statement[];
  /** A `break` inside, other than the one that ends the arm. */
  readonly breaksInside: boolean;
}

function leaves(statement: Statement): boolean {
  return (
    statement.type === "BreakStatement" ||
    statement.type === "ReturnStatement" ||
    statement.type === "ContinueStatement"
  );
}

/** The statements up to the `break` that ends them; `open` is true where control would fall into the next case. */
function upToBreak(statements: readonly Statement[]): { readonly body: readonly Statement[]; readonly open: boolean } {
  const flat = statements.flatMap((statement) =>
    statement.type === "BlockStatement" && statements.length === 1 ? statement.body : [statement],
  );
  const end = flat.findIndex(leaves);
  if (end < 0) return { body: flat, open: true };
  const last = flat[end];
  return { body: flat.slice(0, last?.type === "BreakStatement" ? end : end + 1), open: false };
}

/** True where a `break` in `statements` would leave the switch around them. */
function breaksSwitch(statements: readonly Statement[]): boolean {
  return statements.some((statement) => {
    switch (statement.type) {
      case "BreakStatement":
        return true;
      case "IfStatement":
        return (
          breaksSwitch([statement.consequent]) || (statement.alternate ? breaksSwitch([statement.alternate]) : false)
        );
      case "BlockStatement":
        return breaksSwitch(statement.body);
      default:
        return false;
    }
  });
}

/** The arms in the order of the text; the default arm may stand anywhere. */
export function switchArms(node: SwitchStatement): readonly SwitchArm[] {
  const arms: SwitchArm[] = [];
  let tests: Expression[] = [];
  let isDefault = false;
  node.cases.forEach((entry, index) => {
    if (entry.test) tests.push(entry.test);
    else isDefault = true;
    if (entry.consequent.length === 0 && index < node.cases.length - 1) return;
    const body: Statement[] = [];
    let open = true;
    for (let at = index; open && at < node.cases.length; at++) {
      const part = upToBreak(node.cases[at]?.consequent ?? []);
      body.push(...part.body);
      open = part.open;
    }
    const breaksInside = breaksSwitch(body);
    if (tests.length > 0 && !isDefault) arms.push({ tests, body, breaksInside });
    else if (isDefault) arms.push({ tests: null, body, breaksInside });
    tests = [];
    isDefault = false;
  });
  return arms;
}

/** True where a `continue` inside would mean a loop around the switch. */
export function continuesOutside(node: SwitchStatement): boolean {
  let found = false;
  walk(node, (inner) => {
    if (inner.type === "ContinueStatement") found = true;
  });
  return found;
}
