/** The declarations of a file, by clang's ids and by name: functions, records, enumerations, names of types, variables. */
import { type Layout, Layouts, type RecordShape } from "./layout.js";
import { children, locate, type Node } from "./node.js";
import { type CType, parseType } from "./types.js";

/** A function with a body, and what it belongs to. */
export interface FunctionNode {
  readonly node: Node;
  readonly name: string;
  readonly parameters: readonly Node[];
  readonly body: Node;
  readonly isKernel: boolean;
  readonly isDevice: boolean;
  /** A member function that works on an object. */
  readonly record: string | null;
  /** Arguments of the template that it is an instance of, by the template's names; null outside of templates. */
  readonly template: readonly { readonly name: string; readonly value: string | number }[] | null;
}

/** A template of kernels, for messages and for `with`. */
export interface TemplateNode {
  readonly node: Node;
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly isType: boolean; readonly hasDefault: boolean }[];
}

const CLASSES = new Set(["CXXRecordDecl", "ClassTemplateSpecializationDecl", "RecordDecl"]);
const FUNCTIONS = new Set([
  "FunctionDecl",
  "CXXMethodDecl",
  "CXXConstructorDecl",
  "CXXConversionDecl",
  "CXXDestructorDecl",
]);

const has = (node: Node, kind: string): boolean => children(node).some((child) => child.kind === kind);

/** Template arguments as they compare equal however clang writes them. */
function argumentText(text: string): string {
  return text
    .replace(/\b(?:\w+::)+/g, "")
    .replace(/\b(\d+)[uUlL]+\b/g, "$1")
    .replace(/\s+/g, "");
}

export class Unit {
  readonly functions: Map<string, FunctionNode> = new Map();
  readonly kernels: FunctionNode[] = [];
  readonly templates: TemplateNode[] = [];
  readonly declarations: Map<string, Node> = new Map();
  readonly enumerators: Map<string, { readonly value: bigint; readonly type: CType }> = new Map();
  readonly fieldOwner: Map<string, string> = new Map();
  readonly layouts: Layouts;
  private readonly records = new Map<string, Node>();
  private readonly shared = new Set<string>();
  private readonly typeNames = new Map<string, string>();
  private readonly enums = new Map<string, CType>();
  private readonly types = new Map<string, CType>();

  constructor(root: Node) {
    locate(root);
    this.layouts = new Layouts((name) => this.shape(name));
    this.collect(root, null, null);
  }

  /** The type of a node that has one. */
  type(node: Node): CType {
    const text = node.type?.desugaredQualType ?? node.type?.qualType ?? "void";
    const found = this.typeOf(text);
    return found.kind === "record" && this.layout(found.name) === null && node.type?.desugaredQualType !== undefined
      ? this.typeOf(node.type.qualType)
      : found;
  }

  typeOf(text: string): CType {
    const known = this.types.get(text);
    if (known !== undefined) return known;
    const type = parseType(text, (name) => this.meaning(name));
    this.types.set(text, type);
    return type;
  }

  layout(name: string): Layout | null {
    return this.layouts.record(this.recordKey(name));
  }

  /** A record's declaration. */
  record(name: string): Node | undefined {
    return this.records.get(this.recordKey(name));
  }

  private meaning(name: string): CType | undefined {
    const short = name.replace(/^(?:\w+::)*(?=\w+$)/, "");
    const alias = this.typeNames.get(name) ?? this.typeNames.get(short);
    if (alias !== undefined && alias !== name) return this.typeOf(alias);
    const known = this.enums.get(name) ?? this.enums.get(short);
    if (known !== undefined) return known;
    return { kind: "record", name: this.recordKey(name) };
  }

  private recordKey(name: string): string {
    const text = argumentText(name).replace(/^.*(?=\((?:anonymous|unnamed))/, "");
    if (this.records.has(text) || !text.includes("<")) return text;
    // Default arguments of a template may be left out.
    const start = text.slice(0, -1);
    for (const key of this.records.keys()) if (key.startsWith(`${start},`)) return key;
    return text;
  }

  private shape(name: string): RecordShape | null {
    const node = this.records.get(name);
    if (node === undefined || this.shared.has(name)) return null;
    const fields: { name: string; type: CType; align?: number }[] = [];
    for (const base of (node as { readonly bases?: readonly { readonly type: { qualType: string } }[] }).bases ?? []) {
      const layout = this.layout(base.type.qualType);
      if (layout !== null) fields.push(...layout.fields.map(({ name: own, type }) => ({ name: own, type })));
    }
    for (const child of children(node)) {
      if (child.kind !== "FieldDecl") continue;
      if (child.isBitfield) return null;
      const align = this.alignment(child);
      fields.push({ name: child.name ?? "", type: this.type(child), ...(align === undefined ? {} : { align }) });
    }
    const align = this.alignment(node);
    return { fields, ...(align === undefined ? {} : { align }), union: node.tagUsed === "union" };
  }

  private alignment(node: Node): number | undefined {
    const attribute = children(node).find((child) => child.kind === "AlignedAttr");
    if (attribute === undefined) return undefined;
    const value = children(attribute).map((child) => child.value ?? children(child)[0]?.value)[0];
    return value === undefined ? undefined : Number(value);
  }

  private collect(node: Node, record: string | null, template: Node | null): void {
    if (node.id !== undefined) this.declarations.set(node.id, node);
    if (node.kind === "FunctionTemplateDecl") {
      this.functionTemplate(node, record);
      return;
    }
    if (node.kind === "ClassTemplateDecl") {
      for (const child of children(node)) {
        if (child.kind === "ClassTemplateSpecializationDecl") this.collect(child, record, node);
      }
      return;
    }
    if (node.kind === "ClassTemplatePartialSpecializationDecl") return;
    if (FUNCTIONS.has(node.kind)) {
      this.function(node, record, template);
      return;
    }
    if (CLASSES.has(node.kind)) {
      this.class(node);
      return;
    }
    if (node.kind === "EnumDecl") this.enumeration(node);
    if ((node.kind === "TypedefDecl" || node.kind === "TypeAliasDecl") && node.name !== undefined && node.type) {
      this.typeNames.set(node.name, node.type.desugaredQualType ?? node.type.qualType);
    }
    for (const child of children(node)) {
      if (
        child.kind.endsWith("Decl") ||
        child.kind === "LinkageSpecDecl" ||
        child.kind === "DeclStmt" ||
        child.kind.endsWith("Stmt")
      ) {
        this.collect(child, record, template);
      }
    }
  }

  private class(node: Node): void {
    const args = children(node).filter((child) => child.kind === "TemplateArgument");
    const texts = args.map((arg) =>
      argumentText(String(arg.value ?? arg.type?.desugaredQualType ?? arg.type?.qualType ?? "")),
    );
    const name = args.length === 0 ? (node.name ?? node.id) : `${node.name}<${texts.join(",")}>`;
    if (node.completeDefinition) this.records.set(name, node);
    const begin = node.range?.begin;
    if (node.name === undefined && begin?.file !== undefined) {
      for (const word of ["unnamed", "anonymous"]) {
        const type = node.tagUsed ?? "struct";
        this.nameless(argumentText(`(${word} at ${begin.file}:${begin.line}:${begin.col})`), node);
        this.nameless(argumentText(`(${word} ${type} at ${begin.file}:${begin.line}:${begin.col})`), node);
      }
    }
    for (const child of children(node)) {
      if (child.kind === "FieldDecl") this.fieldOwner.set(child.id, name);
      this.collect(child, name, null);
    }
  }

  /** A record without a name is known by its place; in a template, several share one, and none of them is known. */
  private nameless(key: string, node: Node): void {
    if (this.records.has(key) && this.records.get(key) !== node) this.shared.add(key);
    this.records.set(key, node);
  }

  private enumeration(node: Node): void {
    const type = node.fixedUnderlyingType
      ? this.typeOf(node.fixedUnderlyingType.qualType)
      : this.typeOf("unsigned int");
    if (node.name !== undefined) this.enums.set(node.name, type);
    let next = 0n;
    for (const child of children(node)) {
      if (child.kind !== "EnumConstantDecl") continue;
      const value = constantIn(child);
      if (value !== null) next = value;
      this.enumerators.set(child.id, { value: next, type: this.typeOf("int") });
      if (child.name !== undefined) this.enumerators.set(child.name, { value: next, type: this.typeOf("int") });
      next += 1n;
    }
  }

  private functionTemplate(node: Node, record: string | null): void {
    const parameters = children(node)
      .filter((child) => /^(NonTypeTemplateParm|TemplateTypeParm|TemplateTemplateParm)Decl$/.test(child.kind))
      .map((child) => ({
        name: child.name ?? "",
        isType: child.kind === "TemplateTypeParmDecl",
        hasDefault: "defaultArg" in child,
      }));
    const functions = children(node).filter((child) => FUNCTIONS.has(child.kind));
    const pattern = functions[0];
    if (pattern !== undefined && has(pattern, "CUDAGlobalAttr")) {
      this.templates.push({ node: pattern, name: node.name ?? "", parameters });
    }
    for (const each of functions) {
      if (has(each, "TemplateArgument")) this.function(each, record, node);
    }
  }

  private function(node: Node, record: string | null, template: Node | null): void {
    this.declarations.set(node.id, node);
    const inside = children(node);
    const body = inside.find((child) => child.kind === "CompoundStmt");
    for (const child of inside) if (child.kind === "CompoundStmt") this.collect(child, null, null);
    if (body === undefined) return;
    const parent =
      node.parentDeclContextId === undefined ? null : (this.fieldOwner.get(node.parentDeclContextId) ?? null);
    const owner = record ?? parent;
    const args = inside.filter((child) => child.kind === "TemplateArgument");
    const names = template === null ? [] : children(template).filter((child) => child.kind.includes("TemplateParm"));
    const fn: FunctionNode = {
      node,
      name: node.name ?? "",
      parameters: inside.filter((child) => child.kind === "ParmVarDecl"),
      body,
      isKernel: inside.some((child) => child.kind === "CUDAGlobalAttr"),
      isDevice: inside.some((child) => child.kind === "CUDADeviceAttr" || child.kind === "CUDAGlobalAttr"),
      record: node.kind === "FunctionDecl" || node.storageClass === "static" ? null : owner,
      template:
        template === null
          ? null
          : args.map((arg, index) => ({
              name: names[index]?.name ?? `${index}`,
              value: typeof arg.value === "number" ? arg.value : (arg.type?.qualType ?? String(arg.value ?? "")),
            })),
    };
    this.functions.set(node.id, fn);
    if (node.previousDecl !== undefined && !this.functions.has(node.previousDecl))
      this.functions.set(node.previousDecl, fn);
    if (fn.isKernel) this.kernels.push(fn);
  }
}

/** The value that clang computed below a node; null where there is none. */
export function constantIn(node: Node): bigint | null {
  for (const child of children(node)) {
    if ((child.kind === "ConstantExpr" || child.kind === "IntegerLiteral") && child.value !== undefined) {
      const value = String(child.value);
      if (value === "true" || value === "false") return value === "true" ? 1n : 0n;
      if (/^-?\d+$/.test(value)) return BigInt(value);
    }
    const found = constantIn(child);
    if (found !== null) return found;
  }
  return null;
}
