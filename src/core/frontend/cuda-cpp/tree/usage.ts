/** The use that a function's body makes of its variables, found before it is translated. */
import { children, type Node } from "./node.js";
import type { FunctionNode, Unit } from "./unit.js";

export interface Usage {
  /** Ids of declarations that are assigned. */
  readonly modified: ReadonlySet<string>;
  /** Ids of declarations whose address may be kept: they need memory. */
  readonly addressed: ReadonlySet<string>;
  /** Pointers are compared or subtracted. */
  readonly comparesPointers: boolean;
  /** A pointer variable may be null. */
  readonly hasNull: boolean;
}

type Context = "read" | "write" | "other";

const isPointer = (node: Node | undefined): boolean =>
  /\*\s*(const|__restrict|\s)*$/.test(node?.type?.desugaredQualType ?? node?.type?.qualType ?? "");

function isNull(node: Node | undefined): boolean {
  if (node === undefined) return false;
  return node.castKind === "NullToPointer" || (/Cast|Paren/.test(node.kind) && children(node).some(isNull));
}

/** True where a body returns at its end alone, so that its statements can stand in the caller. */
export function returnsAtEnd(fn: FunctionNode): boolean {
  const statements = children(fn.body);
  return (
    statements.every((statement, index) => index === statements.length - 1 || !hasReturn(statement)) &&
    tailReturns(statements.at(-1))
  );
}

function tailReturns(last: Node | undefined): boolean {
  return last === undefined || last.kind === "ReturnStmt" || !hasReturn(last);
}

function hasReturn(node: Node): boolean {
  if (node.kind === "ReturnStmt") return true;
  if (node.kind === "LambdaExpr") return false;
  return children(node).some(hasReturn);
}

export function calleeOf(unit: Unit, call: Node): FunctionNode | undefined {
  const id = calleeId(children(call)[0]);
  return id === undefined ? undefined : unit.functions.get(id);
}

export function calleeId(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (node.kind === "DeclRefExpr") return node.referencedDecl?.id;
  if (node.kind === "MemberExpr") return node.referencedMemberDecl;
  return calleeId(children(node)[0]);
}

/** Whether a reference of the callee can stand for the caller's own variable. */
export function passesByName(fn: FunctionNode | undefined): boolean {
  return fn === undefined || returnsAtEnd(fn);
}

export function usageOf(unit: Unit, fn: FunctionNode): Usage {
  const modified = new Set<string>();
  const addressed = new Set<string>();
  let comparesPointers = false;
  let hasNull = false;
  const list = (nodes: readonly Node[], context: Context): void => {
    for (const node of nodes) visit(node, context);
  };
  const visit = (node: Node, context: Context): void => {
    const inside = children(node);
    switch (node.kind) {
      case "DeclRefExpr": {
        const id = node.referencedDecl?.id;
        if (id === undefined || node.valueCategory !== "lvalue") return;
        if (context === "write") modified.add(id);
        if (context === "other") addressed.add(id);
        return;
      }
      case "ImplicitCastExpr":
      case "CStyleCastExpr":
      case "CXXStaticCastExpr":
      case "CXXFunctionalCastExpr":
        if (node.castKind === "LValueToRValue" || node.castKind === "ArrayToPointerDecay") list(inside, "read");
        else list(inside, node.castKind === "NoOp" ? context : "other");
        return;
      case "ParenExpr":
      case "ConditionalOperator":
      case "ExprWithCleanups":
        list(inside, context);
        return;
      case "MemberExpr":
        list(inside, node.isArrow ? "other" : context);
        return;
      case "BinaryOperator": {
        const [left, right] = inside;
        if (node.opcode === "=" && left && right) {
          hasNull ||= isNull(right);
          visit(left, "write");
          visit(right, "other");
          return;
        }
        if (
          isPointer(left) &&
          isPointer(right) &&
          right?.castKind !== "NullToPointer" &&
          left?.castKind !== "NullToPointer"
        ) {
          if (node.opcode !== ",") comparesPointers = true;
        }
        list(inside, node.opcode === "," ? context : "other");
        return;
      }
      case "CompoundAssignOperator": {
        const [left, right] = inside;
        if (left) visit(left, "write");
        if (right) visit(right, "other");
        return;
      }
      case "UnaryOperator":
        list(inside, node.opcode === "++" || node.opcode === "--" ? "write" : "other");
        return;
      case "VarDecl":
        hasNull ||= inside.some(isNull);
        list(inside, (node.type?.qualType ?? "").includes("&") ? "write" : "other");
        return;
      case "CXXConstructExpr":
        list(inside, "read");
        return;
      case "CallExpr":
      case "CXXMemberCallExpr":
      case "CXXOperatorCallExpr": {
        const byName = passesByName(calleeOf(unit, node));
        inside.forEach((argument, index) => {
          visit(argument, index === 0 ? "read" : byName ? "write" : "other");
        });
        return;
      }
      case "LambdaExpr":
        return;
      default:
        list(inside, "other");
    }
  };
  visit(fn.body, "other");
  for (const child of children(fn.node)) if (child.kind === "CXXCtorInitializer") list(children(child), "other");
  return { modified, addressed, comparesPointers, hasNull };
}
