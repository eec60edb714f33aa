/** The forms of loops that coverage tells apart, from the tree alone. */
import type { Stmt } from "../tree.js";

export type Loop = Extract<Stmt, { k: "for" | "while" }>;

export const LOOP_COLUMNS = ["const", "run", "un1", "unN", "all", "whl", "do", "end", "unW"] as const;
export type LoopColumn = (typeof LOOP_COLUMNS)[number];

/** What each column stands for. */
export const LOOP_LEGEND: Readonly<Record<LoopColumn, string>> = {
  const: "for, constant bounds",
  run: "for, a bound of the launch, or a condition beside it",
  un1: "for, unroll(1)",
  unN: "for, unroll(2) and more",
  all: "for, unroll()",
  whl: "while",
  do: "do while",
  end: "for (;;), left by break",
  unW: "while or do while, unrolled",
};

export function columnOf(loop: Loop): LoopColumn {
  const { unroll } = loop;
  if (loop.k === "while")
    return unroll !== null ? "unW" : ({ while: "whl", do: "do", endless: "end" } as const)[loop.form];
  if (unroll !== null) return unroll === 0 ? "all" : unroll === 1 ? "un1" : "unN";
  return loop.from.k === "lit" && loop.to.k === "lit" && loop.and === null ? "const" : "run";
}
