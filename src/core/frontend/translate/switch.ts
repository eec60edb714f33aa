/** A switch: its arms with fall-through written out, and the chain of ifs that they become. */
import type { Expression, Statement, SwitchStatement } from "acorn";
import type { Span } from "../../base/errors.js";
import type { Stmt } from "../../ir/ir.js";
import { isInteger, type Scalar } from "../../ir/types.js";
import { walk } from "../text/tree.js";
import { emitCertain, lastOf, statements } from "./branch.js";
import { decided, ruleOut } from "./ruled-out.js";
import type { Translator } from "./translator.js";
import type { ScalarExpr } from "./values/convert.js";
import { constant, isConst } from "./values/fold.js";
import { compare, logical } from "./values/operators.js";

/** `tests` null: the default arm. */
interface SwitchArm {
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
function switchArms(node: SwitchStatement): readonly SwitchArm[] {
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
function continuesOutside(node: SwitchStatement): boolean {
  let found = false;
  walk(node, (inner) => {
    if (inner.type === "ContinueStatement") found = true;
  });
  return found;
}

export function switchStatement(t: Translator, node: SwitchStatement): void {
  const span = t.span(node);
  const discriminant = t.scalar(lastOf(t, node.discriminant));
  const all = switchArms(node);
  refuseRepeatedCases(t, all, discriminant);
  const arms = possibleArms(t, all, discriminant);
  const breaks = arms.some((arm) => arm.breaksInside);
  if (breaks && continuesOutside(node)) {
    t.report.fail(
      span,
      "This switch mixes `break` inside an if with `continue` of a loop around it.",
      "Write it as if (x === 0) { ... } else if (x === 1) { ... }.",
    );
  }
  const subject = ["const", "param", "builtin", "variable"].includes(discriminant.kind)
    ? discriminant
    : t.hold("selector", discriminant);
  const chain = (): void => switchChain(t, subject, arms, span);
  if (breaks) {
    const body = t.collect(chain);
    const condition = constant("bool", 0, span);
    t.emit({ kind: "loop", init: [], condition, testFirst: false, update: [], body, unroll: null, span });
  } else chain();
}

/** As C++ does: values are those of the subject's type. */
function refuseRepeatedCases(t: Translator, arms: readonly SwitchArm[], subject: ScalarExpr): void {
  const seen = new Set<string>();
  for (const test of arms.flatMap(({ tests }) => tests ?? [])) {
    const value = t.scalar(test);
    if (!isConst(value)) continue;
    const key = caseKey(subject.type, value.value);
    if (seen.has(key)) {
      t.report.fail(
        t.span(test),
        `This switch has the case ${String(value.value)} twice, and only the first would ever run.`,
        "Leave one of them out, or write the other value that was meant.",
      );
    }
    seen.add(key);
  }
}

function caseKey(type: Scalar, value: number | bigint): string {
  if (typeof value === "number" && !Number.isInteger(value)) return String(value);
  const bits = type === "i64" || type === "u64" ? 64 : 32;
  return String(isInteger(type) ? BigInt.asUintN(bits, BigInt(value)) : value);
}

/** All arms; where the subject is a constant the one that it chooses, and of the others their names are read. */
function possibleArms(t: Translator, arms: readonly SwitchArm[], subject: ScalarExpr): readonly SwitchArm[] {
  if (!isConst(subject)) return arms;
  const chosen =
    arms.find(({ tests }) => tests !== null && decided(caseCondition(t, subject, tests, subject.span))) ??
    arms.find(({ tests }) => tests === null);
  for (const arm of arms) if (arm !== chosen) ruleOut(t, ...arm.body);
  return chosen === undefined ? [] : [{ ...chosen, tests: null }];
}

function switchChain(t: Translator, subject: ScalarExpr, arms: readonly SwitchArm[], span: Span): void {
  const fallback = arms.find((arm) => arm.tests === null);
  const read = (arm: SwitchArm | undefined): readonly Stmt[] =>
    arm === undefined ? [] : t.collect(() => statements(t, arm.body));
  const [first, ...rest] = arms.filter((arm) => arm.tests !== null);
  if (first === undefined) {
    emitCertain(t, read(fallback), span);
    return;
  }
  const build = (arm: SwitchArm, others: readonly SwitchArm[]): Stmt => {
    const condition = caseCondition(t, subject, arm.tests ?? [], span);
    const then = read(arm);
    const [next, ...after] = others;
    const otherwise = next === undefined ? read(fallback) : [build(next, after)];
    return { kind: "if", condition, then, else: otherwise, arm: true, span };
  };
  t.emit(build(first, rest));
}

function caseCondition(t: Translator, subject: ScalarExpr, tests: readonly Expression[], span: Span): ScalarExpr {
  const conditions = tests.map((test) => {
    const value = t.scalar(test);
    if (!isConst(value))
      t.report.fail(
        t.span(test),
        "A case is a constant.",
        "Write a number or a template constant, or use if (x === y).",
      );
    return compare(t, "===", subject, value, t.span(test));
  });
  return conditions.reduce((left, right) => logical("or", left, right, span));
}
