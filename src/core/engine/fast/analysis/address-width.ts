/**
 * Finds the addresses that need 64 bits. Those of global memory do. Those of shared and local memory, which
 * count from the block's or thread's own start, do unless the index is proven small. So 2^30 does not wrap into bounds.
 */
import type { Program } from "../../../lower/program.js";
import { Unsupported } from "../unsupported.js";
import { isSmallInteger, type Ranges } from "./range.js";
import type { Web, WebTable } from "./webs.js";

/** Shared and local addresses below this, either way from 0, are kept in 32 bits. */
const SMALL_ADDRESS = 2 ** 30;

export function findWideAddresses(program: Program, table: WebTable, ranges: Ranges): ReadonlySet<Web> {
  const wide = new Set(findGlobalAddresses(program, table));
  const reach = new Map<Web, number>();
  const startOf = (pc: number): number => {
    const { root } = program.instructions[pc]!;
    if (root?.kind === "shared") return program.shared[root.array]?.offsetBytes ?? 0;
    return root?.kind === "local" ? (program.local[root.array]?.offsetBytes ?? 0) : 0;
  };
  const reachOf = (web: Web | null | undefined): number =>
    web == null ? 0 : wide.has(web) ? Infinity : (reach.get(web) ?? 0);
  const isPointer = (web: Web | null): web is Web => web !== null && web.type === "addr";
  const pointing = program.instructions.filter(
    ({ pc }) => table.dst[pc]!.some(isPointer) || table.src[pc]!.some(isPointer),
  );
  for (let changed = true; changed; ) {
    changed = false;
    for (const { pc, op, src, scale } of pointing) {
      for (const web of table.dst[pc]!) {
        if (web.type !== "addr" || wide.has(web)) continue;
        let most = 0;
        if (op === "addr") {
          const type = program.instructions[pc]!.sourceType ?? "i32";
          const { low, high } = ranges.operand(pc, 0, type);
          const isSmall = isSmallInteger(type) && high < 2 ** 31;
          const index = isSmall ? Math.max(Math.abs(low), Math.abs(high)) : Infinity;
          most = index * (scale ?? 1) + (src.length > 1 ? reachOf(table.src[pc]![1]) : startOf(pc));
        } else most = Math.max(...table.src[pc]!.map((source) => (source?.type === "addr" ? reachOf(source) : 0)));
        if (most <= (reach.get(web) ?? 0)) continue;
        changed = true;
        if (most < SMALL_ADDRESS) reach.set(web, most);
        else wide.add(web);
      }
      // A pointer and its copies have one width. One that is stored is no copy of the one that it is stored at.
      if (op === "addr" || op === "ld" || op === "st") continue;
      const pointers = [...table.dst[pc]!, ...table.src[pc]!].filter(isPointer);
      if (!pointers.some((web) => wide.has(web))) continue;
      for (const web of pointers) {
        if (wide.has(web)) continue;
        wide.add(web);
        changed = true;
      }
    }
  }
  return wide;
}

function findGlobalAddresses(program: Program, table: WebTable): ReadonlySet<Web> {
  const global = new Set<Web>();
  const small = new Set<Web>();
  let size = -1;
  while (size !== global.size + small.size) {
    size = global.size + small.size;
    for (const { pc, op, root } of program.instructions) {
      if (op === "ld") for (const web of table.dst[pc]!) if (web.type === "addr") global.add(web);
      const source = table.src[pc]!.find((web) => web?.type === "addr") ?? null;
      const own = root === undefined ? null : root.kind === "param" ? global : small;
      const made = table.dst[pc]!.filter((web) => web.type === "addr");
      // A pointer has one space, which its uses tell too where it starts as 0.
      if (own !== null) {
        if (source !== null) own.add(source);
        if (op === "addr") for (const web of made) own.add(web);
      } else if (source !== null) {
        for (const space of [global, small]) {
          if (space.has(source)) for (const web of made) space.add(web);
          if (made.some((web) => space.has(web))) space.add(source);
        }
      }
    }
  }
  for (const web of global) if (small.has(web)) throw new Unsupported("a pointer that may be of two memory spaces");
  return global;
}
