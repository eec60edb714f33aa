/** Errors and warnings of one kernel's text, with their place. */
import { CompileError, type SourceText, type Span } from "../base/errors.js";
import type { Warning } from "../ir/ir.js";

export interface Report {
  /** Ends the compilation. */
  fail(span: Span, what: string, cure: string): never;
  /** Legal, but it may surprise; `message` ends with the cure. */
  warn(span: Span, message: string): void;
}

/** `inKernel` is false for a device function: its warnings then carry their own text. */
export function reportFor(source: SourceText, warnings: Warning[], inKernel: boolean): Report {
  return {
    fail(span, what, cure): never {
      throw new CompileError({ what, cure, source, span });
    },
    warn(span, message) {
      const known = warnings.some(
        (other) => other.message === message && other.span.line === span.line && other.span.column === span.column,
      );
      if (!known) warnings.push(inKernel ? { message, span } : { message, span, source });
    },
  };
}
