/** The cure of a race: a fence where one is missing between a write and its hand-over, an atomic, a barrier, an order of streams. */
import { sourceLine } from "../../engine/faults.js";
import type { Instruction, Program } from "../../lower/program.js";
import type { Severity } from "../finding.js";
import { areUpdates, type KernelSide, type Race } from "./races.js";

const STREAMS_CURE =
  "Let the later one wait: event.record(first), second.wait(event). Or use one stream for both, or gpu.synchronize() between them.";

/** The cure of a race of two grids or copies; null within a grid. */
function cureBetween({ relation, kind, space }: Race): string | null {
  switch (relation) {
    case "streams":
      return space === "host" ? `${STREAMS_CURE} Or give each copy an array of its own.` : STREAMS_CURE;
    case "parent-child":
      if (kind === "write-after-read") break;
      return "A child sees what its thread wrote before the launch, and what that one knew by a barrier. Write before, and syncthreads(); other blocks' writes are seen in a tail launch.";
    case "relatives":
      return 'Launch both from one block into its stream, the later one by stream: "tail", or let each write elements of its own.';
    case "one-grid":
      return null;
    case "child-parent":
      break;
  }
  return 'Wait for the child grid (cudaDeviceSynchronize, before 9.0), then syncthreads() for other threads. Or read its results in a tail launch (stream: "tail") or a later launch.';
}

/** How to order the two accesses, or do without the race. */
export function cureOf(race: Race, severity: Severity): string {
  const { first, second, space } = race;
  const between = fenceCure(race) ?? updateCure(race, severity) ?? cureBetween(race);
  if (between !== null || first.launch === null || second.launch === null) return between ?? STREAMS_CURE;
  if (severity === "note") {
    return space === "shared" && !(first.instruction.volatile === true && second.instruction.volatile === true)
      ? "This GPU runs a warp in lockstep, but its compiler may keep the value in a register: declare the array volatile, volatile(shared(...)). From compute capability 7.0 on put syncwarp() between the two accesses."
      : "This GPU runs a warp in lockstep. From compute capability 7.0 on put syncwarp() between the two accesses.";
  }
  if (first.block !== second.block) {
    return space === "global" && race.kind === "write-after-write"
      ? "Let each block write elements of its own, or use an atomic (atomicAdd)."
      : "Blocks run in any order: end the kernel between the two accesses, or hand over by threadfence() and an atomic.";
  }
  if (first.instruction.pc === second.instruction.pc && first.does === "write") {
    return "Let each thread write an element of its own, or use an atomic (atomicAdd).";
  }
  return race.acrossWarps === 0
    ? "Put syncwarp() between the two accesses, or exchange registers by shuffles. volatile orders nothing from 7.0 on."
    : "Put syncthreads() between the two accesses, where all threads of the block reach it.";
}

/** The atomic that does what an update's statement does, by its text. */
function atomicFor(text: string): string {
  if (/\|=|[^|]\|[^|]/.test(text)) return "atomicOr";
  if (/&=|[^&]&[^&]/.test(text) && !/\+=/.test(text)) return "atomicAnd";
  if (/\^=/.test(text)) return "atomicXor";
  if (/-=|--/.test(text)) return "atomicSub";
  if (/\+=|\+\+|\+/.test(text)) return "atomicAdd";
  return "atomicMin or atomicMax where the if compares the two values, else atomicCAS";
}

/** Two updates of one element, x += 1: an atomic is meant. */
function updateCure(race: Race, severity: Severity): string | null {
  if (severity === "note" || !areUpdates(race)) return null;
  const side = race.first.launch !== null && race.first.does !== "atomic" ? race.first : race.second;
  if (side.launch === null || !("update" in side)) return null;
  const { program } = side.launch;
  const store = program.instructions[side.update ?? side.instruction.pc]!;
  const { line, column, length } = store.span;
  const text = program.sources[store.source]?.text.split("\n")[line - 1]?.slice(column, column + length) ?? "";
  const whole = store.volatile === true ? " volatile keeps each of the two accesses whole, not both together." : "";
  return `The statement reads and writes, and another thread's write may come between.${whole} Use an atomic for the whole update: ${atomicFor(text)}, which gives the value before. Or let each thread update elements of its own.`;
}

function isHandOver({ op, volatile, space }: Instruction): boolean {
  return space !== "local" && (op === "atom" || (volatile === true && (op === "st" || op === "ld")));
}

function sameArray({ root, space }: Instruction, other: Instruction): boolean {
  return space === other.space && JSON.stringify(root) === JSON.stringify(other.root);
}

/** The store or atomic behind the first access that the second side has read before its own access: null for none. */
function handOver({ launch, instruction }: KernelSide, second: KernelSide): Instruction | null {
  const { instructions } = launch.program;
  const awaited = second.launch.program.instructions.filter(
    (each) => isHandOver(each) && each.op !== "st" && each.pc < second.instruction.pc,
  );
  const told = instructions.slice(instruction.pc + 1).filter((each) => isHandOver(each) && each.op !== "ld");
  return told.find((each) => awaited.some((other) => sameArray(each, other))) ?? null;
}

/** Where the first thread hands over by an atomic or a volatile store, and its fence is missing, misplaced or too narrow. */
function fenceCure({ first, second, relation, kind, acrossWarps }: Race): string | null {
  if (first.launch === null || second.launch === null || relation !== "one-grid") return null;
  if (kind === "write-after-read" || acrossWarps === 0) return null;
  const handing = handOver(first, second);
  if (handing === null) return null;
  const { program } = first.launch;
  const { pc } = first.instruction;
  const line = (each: Instruction): string => lineOf(program, each);
  const apart = first.block !== second.block;
  const wide = apart ? "threadfence()" : "threadfence_block()";
  const fences = program.instructions.filter(({ op }) => op === "fence");
  const between = fences.filter((fence) => fence.pc > pc && fence.pc < handing.pc);
  const place = `between the write of ${line(first.instruction)} and ${line(handing)}, which hands it over`;
  const [inPlace] = between;
  if (inPlace === undefined) {
    const [other] = fences;
    if (other === undefined) return `Put ${wide} ${place}.`;
    const when = fences.every((fence) => fence.pc < pc) ? "before the write" : "behind the hand-over";
    return `The fence of ${line(other)} stands ${when}. Put ${wide} ${place}.`;
  }
  if (apart && between.every(({ space }) => space === "shared")) {
    return `threadfence_block() of ${line(inPlace)} holds within the block. Other blocks need threadfence() in its place.`;
  }
  return first.does === "write" &&
    !program.instructions.some(({ op, pc: at }) => op === "bar" && at > pc && at < inPlace.pc)
    ? `A fence holds for what its own thread has written, or knows of by a barrier: put syncthreads() between ${line(first.instruction)} and the fence of ${line(inPlace)}, or let each thread fence.`
    : null;
}

function lineOf(program: Program, instruction: Instruction): string {
  return `line ${sourceLine(program, instruction)}`;
}
