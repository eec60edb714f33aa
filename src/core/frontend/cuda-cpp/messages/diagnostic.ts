/** clang's messages, and which of them are about kernels. */
import { children, type Node } from "../tree/node.js";

export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  /** 0-based. */
  readonly column: number;
  readonly message: string;
  readonly notes: string;
  readonly fatal: boolean;
}

/** The errors of clang's text, in its order, each with the notes below it. */
export function diagnosticsOf(text: string): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const line of text.split("\n")) {
    const parts = /^(.*?):(\d+):(\d+): (fatal error|error|note): (.*)$/.exec(line);
    if (parts === null) continue;
    const [, file = "", at = "1", column = "1", level = "", message = ""] = parts;
    const last = found.at(-1);
    if (level !== "note") {
      const place = { file: file.replace(/^\.\//, ""), line: Number(at), column: Number(column) - 1 };
      found.push({ ...place, message, notes: "", fatal: level === "fatal error" });
    } else if (last !== undefined) found[found.length - 1] = { ...last, notes: `${last.notes}${message}\n` };
  }
  return found;
}

interface Range {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

const FUNCTION = /^(Function|CXXMethod|CXXConstructor|CXXConversion|CXXDestructor)Decl$/;

/** The lines of functions: those of the device, or those of the host. */
function functionRanges(root: Node, ofDevice: boolean): readonly Range[] {
  const found: Range[] = [];
  const visit = (node: Node): void => {
    if (FUNCTION.test(node.kind)) {
      const attributes = children(node).map(({ kind }) => kind);
      const device = attributes.includes("CUDAGlobalAttr") || attributes.includes("CUDADeviceAttr");
      const { begin, end } = node.range ?? {};
      const [from, to] = [begin?.expansionLoc ?? begin, end?.expansionLoc ?? end];
      if (device === ofDevice && from?.file !== undefined && from.line !== undefined && to?.line !== undefined) {
        found.push({ file: from.file.replace(/^\.\//, ""), from: from.line, to: to.line });
      }
      return;
    }
    for (const child of children(node)) if (child.kind !== undefined) visit(child);
  };
  visit(root);
  return found;
}

/** A mistake about kernels, wherever it stands. */
const ABOUT_KERNELS: RegExp =
  /global function|kernel|__device__|__global__|__shared__|__syncthreads|threadIdx|blockIdx/;

/**
 * The errors that a reader of kernels has to know of: those of the host's part are another compiler's. `ofProgram`: that
 * compiler has read the whole file, and only what stands in functions of the device is told.
 */
export function errorsOfKernels(
  root: Node,
  all: readonly Diagnostic[],
  ofProgram: boolean = false,
): readonly Diagnostic[] {
  const ranges = functionRanges(root, ofProgram);
  const seen = new Set<string>();
  return all.filter((each) => {
    const key = `${each.file}:${each.line}`;
    if (seen.has(key)) return false;
    const inside = ranges.some(({ file, from, to }) => file === each.file && from <= each.line && each.line <= to);
    const inHost = ofProgram ? !inside : inside;
    const kept =
      each.fatal ||
      (inHost ? !ofProgram && ABOUT_KERNELS.test(each.message) : !/namespace 'std'|'std::/.test(each.message));
    if (kept) seen.add(key);
    return kept;
  });
}
