/** A kernel's text with its syntax tree; a node's place is counted in the learner's text. */
import type { ArrowFunctionExpression, Comment, FunctionExpression } from "acorn";
import type { SourceText, Span } from "../../base/errors.js";

export type KernelNode = ArrowFunctionExpression | FunctionExpression;

/** One function's text in the names that the learner wrote: its tree, comments and the way from a node to its place. */
export interface ParsedSource {
  readonly text: SourceText;
  readonly tree: KernelNode;
  readonly comments: readonly Comment[];
  /** Characters that the parsed text has before the learner's. */
  readonly wrapped: number;
  span(node: { readonly start: number; readonly end: number }): Span;
  /** A node as the learner wrote it. */
  written(node: { readonly start: number; readonly end: number }): string;
}
