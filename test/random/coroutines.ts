/** The threads of a block as coroutines: each runs until it waits for others of its warp or of its block. */
import type { Scalar } from "./oracle-arithmetic.js";

/** What a lane is given, from the arguments of all lanes that take part. */
export type Answer = (args: ReadonlyMap<number, readonly Scalar[]>, lane: number) => Scalar;

export type Wait =
  /** Answered by `threads * VOTES + votes`. */
  | { readonly kind: "block"; readonly vote: number }
  /** `at` is one object for the lanes that meet there. */
  | {
      readonly kind: "warp";
      readonly at: object;
      readonly mask: number;
      readonly args: readonly Scalar[];
      readonly answer: Answer | null;
    };

export const VOTES = 4096;

export class Coroutine {
  wait: Wait | null = null;
  answer: Scalar = 0;
  done = false;

  constructor(
    readonly linear: number,
    private readonly run: Generator<Wait, unknown, Scalar>,
  ) {}

  /** Runs to the next wait or the end. */
  resume(): void {
    const step = this.run.next(this.answer);
    this.wait = step.done === true ? null : step.value;
    this.done = step.done === true;
  }
}

/** Lets the lanes of a warp that all wait for one exchange go on. */
function releaseWarps(threads: readonly Coroutine[]): boolean {
  let released = false;
  for (let first = 0; first < threads.length; first += 32) {
    const warp = threads.slice(first, first + 32);
    for (const thread of warp) {
      const { wait } = thread;
      if (wait?.kind !== "warp") continue;
      const { at, mask, answer } = wait;
      const named = warp.filter((_, lane) => ((mask >>> lane) & 1) === 1);
      const here = ({ wait: other }: Coroutine): boolean =>
        other?.kind === "warp" && other.at === at && other.mask === mask;
      if (!named.every((other) => other.done || here(other))) continue;
      const members = named.filter((other) => !other.done);
      const args = new Map(members.map((member) => [member.linear % 32, (member.wait as typeof wait).args]));
      if (answer !== null) for (const member of members) member.answer = answer(args, member.linear % 32);
      for (const member of members) {
        member.wait = null;
        member.resume();
      }
      released = true;
    }
  }
  return released;
}

function releaseBlock(threads: readonly Coroutine[]): boolean {
  const alive = threads.filter((thread) => !thread.done);
  if (alive.length === 0 || !alive.every((thread) => thread.wait?.kind === "block")) return false;
  const held = alive.reduce((sum, thread) => sum + (thread.wait?.kind === "block" ? thread.wait.vote : 0), 0);
  for (const thread of alive) thread.answer = alive.length * VOTES + held;
  for (const thread of alive) thread.resume();
  return true;
}

/** Runs the threads of a block to their ends. */
export function runTogether(threads: readonly Coroutine[]): void {
  for (const thread of threads) thread.resume();
  while (threads.some((thread) => !thread.done)) {
    if (!releaseWarps(threads) && !releaseBlock(threads)) throw new Error("the interpreter's threads wait for ever");
  }
}
