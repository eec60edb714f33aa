/**
 * The tree of a CUDA C++ file as this package reads it: clang's nodes with their places filled in. Another parser could stand
 * behind it.
 */

/** A position: the file, the 1-based line and the 0-based column. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

export interface TypeText {
  readonly qualType: string;
  readonly desugaredQualType?: string;
}

export interface NameOf {
  readonly id: string;
  readonly kind: string;
  readonly name?: string;
  readonly type?: TypeText;
}

interface Position {
  offset?: number;
  file?: string;
  line?: number;
  col?: number;
  tokLen?: number;
  expansionLoc?: Position;
  spellingLoc?: Position;
}

/** One node; which fields are there depends on its kind. */
export interface Node {
  readonly id: string;
  readonly kind: string;
  readonly name?: string;
  readonly mangledName?: string;
  readonly type?: TypeText;
  readonly valueCategory?: string;
  readonly opcode?: string;
  readonly isPostfix?: boolean;
  readonly castKind?: string;
  readonly value?: string | number | boolean;
  readonly isArrow?: boolean;
  readonly referencedMemberDecl?: string;
  readonly referencedDecl?: NameOf;
  readonly storageClass?: string;
  readonly init?: string;
  readonly computeLHSType?: TypeText;
  readonly computeResultType?: TypeText;
  readonly argType?: TypeText;
  readonly ctorType?: TypeText;
  readonly hasElse?: boolean;
  readonly hasInit?: boolean;
  readonly hasVar?: boolean;
  readonly isConstexpr?: boolean;
  /** True of a variable; an if has `isConstexpr`. */
  readonly constexpr?: boolean;
  readonly completeDefinition?: boolean;
  /** What clang says of a record; of a special member, whether it copies bits. */
  readonly definitionData?: { readonly isPOD?: boolean } & Readonly<
    Partial<Record<"copyCtor" | "moveCtor" | "copyAssign" | "moveAssign", { readonly trivial?: boolean }>>
  >;
  readonly baseInit?: TypeText;
  readonly tagUsed?: string;
  readonly previousDecl?: string;
  readonly parentDeclContextId?: string;
  readonly isImplicit?: boolean;
  /** What clang has read in spite of an error. */
  readonly isInvalid?: boolean;
  readonly explicitlyDefaulted?: string;
  readonly conversionFunc?: NameOf;
  readonly isBitfield?: boolean;
  readonly storageDuration?: string;
  readonly field?: NameOf;
  readonly fixedUnderlyingType?: TypeText;
  readonly anyInit?: NameOf;
  readonly array_filler?: readonly Node[];
  readonly inner?: readonly Node[];
  readonly loc?: Position;
  readonly range?: { readonly begin: Position; readonly end: Position };
  /** Set by `locate`. */
  place?: Place;
}

/** The kind of what a statement leaves out, such as the condition of `for (;;)`. */
export const ABSENT = "Absent";

export const children = (node: Node): readonly Node[] => node.inner ?? [];

/** The only child, through what changes nothing. */
export function only(node: Node): Node {
  const [child] = children(node);
  if (child === undefined) throw new Error(`${node.kind} has no child`);
  return child;
}

/** clang leaves out what equals the position printed before: a walk in the order of the text puts it back. */
export function locate(root: Node): void {
  let file = "";
  let line = 0;
  const fill = (position: Position | undefined): void => {
    if (position === undefined) return;
    if (position.spellingLoc !== undefined || position.expansionLoc !== undefined) {
      fill(position.spellingLoc);
      fill(position.expansionLoc);
      return;
    }
    if (position.offset === undefined) return;
    if (position.file !== undefined) file = position.file;
    else position.file = file;
    if (position.line !== undefined) line = position.line;
    else position.line = line;
  };
  const visit = (node: Node): void => {
    // clang writes {} where a part of a statement is left out.
    if (node.kind === undefined) Object.assign(node, { kind: ABSENT });
    fill(node.loc);
    fill(node.range?.begin);
    fill(node.range?.end);
    const place = placeOf(node);
    if (place !== undefined) node.place = place;
    for (const child of node.array_filler ?? []) visit(child);
    for (const child of node.inner ?? []) visit(child);
  };
  visit(root);
}

/** Where a learner sees the node: within a macro's expansion, the place of its use. */
function placeOf(node: Node): Place | undefined {
  const begin = node.range?.begin;
  const at = node.kind.endsWith("Decl") && node.loc?.offset !== undefined ? node.loc : (begin?.expansionLoc ?? begin);
  if (at?.offset === undefined || at.file === undefined || at.line === undefined) return undefined;
  const last = node.range?.end;
  const end = last?.expansionLoc ?? last;
  const sameLine = end?.line === at.line && end.offset !== undefined && at !== node.loc;
  const length = sameLine ? (end.offset ?? 0) - at.offset + (end.tokLen ?? 1) : (at.tokLen ?? 1);
  return { file: at.file, line: at.line, column: (at.col ?? 1) - 1, length: Math.max(1, length) };
}
