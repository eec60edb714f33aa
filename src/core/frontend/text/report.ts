/** Errors and warnings of one kernel's text, with their place. */
import { CompileError, type SourceText, type Span } from "../../base/errors.js";
import type { Warning } from "../../ir/ir.js";

export interface Report {
  /** Ends the compilation. */
  fail(span: Span, what: string, cure: string): never;
  /** The same for an error that hangs on a constant's value; where the text is read for its type alone, it is none. */
  failOnValue(span: Span, what: string, cure: string): void;
  /** Legal, but it may surprise; `message` ends with the cure. */
  warn(span: Span, message: string): void;
}

/** The state that the reports of a kernel and its device functions share. */
export interface ReportTarget {
  readonly warnings: Warning[];
  /** Above 0 while text is read for its type alone. */
  readonly readForType: number;
}

/** `inKernel` is false for a device function: its warnings then carry their own text. */
export function reportFor(source: SourceText, target: ReportTarget, inKernel: boolean): Report {
  const { warnings } = target;
  const fail = (span: Span, what: string, cure: string): never => {
    throw new CompileError({ what, cure, source, span });
  };
  return {
    fail,
    failOnValue(span, what, cure) {
      if (target.readForType === 0) fail(span, what, cure);
    },
    warn(span, message) {
      const known = warnings.some(
        (other) => other.message === message && other.span.line === span.line && other.span.column === span.column,
      );
      if (!known) warnings.push(inKernel ? { message, span } : { message, span, source });
    },
  };
}
