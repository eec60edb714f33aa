/** Loads, stores and atomics: bounds and alignment first, then counters, then the lanes in ascending order. */
import type { KernelFault } from "../../../base/errors.js";
import type { Instruction } from "../../../lower/program.js";
import type { TraceEvent } from "../../engine.js";
import { accessBytes, misaligned, outOfBounds, rootExtent } from "../../faults.js";
import { populationCount } from "../../population-count.js";
import { ONE_A_BANK, serviceOf, sharedPasses, sharedWavefronts } from "../../semantics/bank-conflicts.js";
import { returnedWavefronts } from "../../semantics/l1-tags.js";
import { bankBit, HALF_WARP, spinPlace } from "../../semantics/spin.js";
import type { MachineState } from "../machine-state.js";
import { localWords } from "../machine-state.js";
import { rowWords } from "../register-layout.js";
import { GLOBAL_WORDS } from "../watched-words.js";
import { collectSectors, countLines, repeatSectors } from "./coalescing.js";
import type { LaneOperation } from "./lane-operation.js";

/** Byte addresses of the lanes of the access at hand, in the space of its root. */
export type Addresses = Int32Array;

/**
 * Checks and counts an access: fills the address list for the lanes in the mask. Throws KernelFault before anything is
 * written.
 */
export type Access = (base: number, mask: number) => Addresses;

const addresses: Addresses = new Int32Array(32);

export function compileAccess(instruction: Instruction, machine: MachineState): Access {
  const { launch, layout, counters, event } = machine;
  const { pc } = instruction;
  const { f64 } = machine.registers;
  const row = layout.operand(instruction, 0);
  const offset = instruction.offset ?? 0;
  const bytes = accessBytes(instruction);
  const alignment = Math.min(bytes, 16) - 1;
  const extent = rootExtent(launch, instruction);
  const low = extent.lowest;
  const high = extent.start + extent.byteLength - bytes;
  const space = instruction.space ?? "global";
  const atomic = instruction.op === "atom";
  const load = instruction.op === "ld";
  const service = serviceOf(instruction);
  const banks = launch.sharedBanks;
  const partBytes = Math.min(bytes, 16);
  const wavefrontsOf = (mask: number): number =>
    (bytes / partBytes) * sharedWavefronts(addresses, mask, partBytes, banks, service);
  const resolve = (base: number, mask: number): void => {
    const from = (base + row) >> 1;
    let bad = 0;
    if (mask === -1) {
      for (let lane = 0; lane < 32; lane++) {
        const address = f64[from + lane]! + offset;
        if (!(address >= low && address <= high)) bad = 1;
        addresses[lane] = address;
        bad |= address & alignment;
      }
    } else
      for (let m = mask; m !== 0; m &= m - 1) {
        const lane = 31 - Math.clz32(m & -m);
        const address = f64[from + lane]! + offset;
        if (!(address >= low && address <= high)) bad = 1;
        addresses[lane] = address;
        bad |= address & alignment;
      }
    if (bad !== 0) throw accessFault(machine, instruction, base, mask);
    counters.requests[pc]! += 1;
  };
  if (space === "local") {
    return (base, mask) => {
      resolve(base, mask);
      return addresses;
    };
  }
  if (space === "shared") {
    return (base, mask) => {
      resolve(base, mask);
      counters.bytes[pc]! += bytes * populationCount(mask);
      machine.reads?.add(pc, addresses, mask, bytes, machine.sharedBase);
      let wavefronts = 0;
      let ideal = 0;
      if (bytes === 4 && !atomic && banks >= 32 && consecutive(mask)) wavefronts = ideal = 1;
      else {
        wavefronts = wavefrontsOf(mask);
        ideal = (bytes / partBytes) * sharedPasses(addresses, mask, partBytes);
      }
      counters.wavefronts[pc]! += wavefronts;
      counters.idealWavefronts[pc]! += ideal;
      event.wavefronts = wavefronts;
      if (service === ONE_A_BANK) collectPlaces(addresses, mask, bytes, banks, event);
      return addresses;
    };
  }
  return (base, mask) => {
    resolve(base, mask);
    counters.bytes[pc]! += bytes * populationCount(mask);
    machine.reads?.add(pc, addresses, mask, bytes, GLOBAL_WORDS);
    collectSectors(addresses, mask, bytes, event);
    counters.sectors[pc]! += event.sectorCount;
    const lines = countLines(event.sectors, event.sectorCount);
    counters.lines[pc]! += lines;
    // Within a line no two words share a bank.
    event.wavefronts = load ? (lines > 1 ? wavefrontsOf(mask) : 1) : 0;
    event.returnedWavefronts = lines > 1 ? (bytes / partBytes) * returnedWavefronts(addresses, mask, partBytes) : 1;
    if (atomic) repeatSectors(addresses, mask, event);
    return addresses;
  };
}

/** The fault of the lanes in the mask that access out of bounds or misaligned; the lowest of them says which it is. */
function accessFault(machine: MachineState, instruction: Instruction, base: number, mask: number): KernelFault {
  const { launch, layout } = machine;
  const { f64 } = machine.registers;
  const row = layout.operand(instruction, 0);
  const bytes = accessBytes(instruction);
  const alignment = Math.min(bytes, 16) - 1;
  const { lowest, start, byteLength } = rootExtent(launch, instruction);
  let lanes = 0;
  let first = 0;
  let inBounds = false;
  for (let lane = 31; lane >= 0; lane--) {
    if (((mask >>> lane) & 1) === 0) continue;
    const address = f64[((base + row) >> 1) + lane]! + (instruction.offset ?? 0);
    const inside = address >= lowest && address <= start + byteLength - bytes;
    if (inside && (address & alignment) === 0) continue;
    lanes |= 1 << lane;
    first = address;
    inBounds = inside;
  }
  const site = { launch, instruction, block: machine.block, warp: machine.warp, lanes };
  return inBounds ? misaligned(site, first) : outOfBounds(site, first);
}

/** Lists the addresses that the first lane of each bank swaps. */
function collectPlaces(addresses: Addresses, mask: number, size: number, banks: number, event: TraceEvent): void {
  let taken = 0;
  let count = 0;
  for (let m = mask; m !== 0; m &= m - 1) {
    const lane = 31 - Math.clz32(m & -m);
    const bit = bankBit(addresses[lane]!, lane, size, banks);
    if ((taken & bit) !== 0) continue;
    taken |= bit;
    // A word that the first half-warp changes the second one does not find.
    const place = spinPlace(addresses[lane]!, lane);
    if (lane >= HALF_WARP && event.sectors.subarray(0, count).includes(place - 1)) continue;
    event.sectors[count++] = place;
  }
  event.sectorCount = count;
}

/** All lanes of the mask in one run of words: no conflict on 32 banks or more. */
function consecutive(mask: number): boolean {
  const first = 31 - Math.clz32(mask & -mask);
  const start = addresses[first]! - 4 * first;
  for (let m = mask; m !== 0; m &= m - 1) {
    const lane = 31 - Math.clz32(m & -m);
    if (addresses[lane]! !== start + 4 * lane) return false;
  }
  return true;
}

/** Memory words of a space, and the word where the running block's, or a lane's, part starts. */
export interface SpaceWords {
  readonly words: Int32Array;
  start(lane: number): number;
}

export function spaceOf(instruction: Instruction, machine: MachineState): SpaceWords {
  const perThread = localWords(machine.launch);
  switch (instruction.space ?? "global") {
    case "global":
      return { words: machine.global.i32, start: () => 0 };
    case "shared":
      return { words: machine.shared.i32, start: () => machine.sharedBase };
    case "local":
      return { words: machine.local.i32, start: (lane) => machine.localBase + lane * perThread };
  }
}

/**
 * The access, and after it its effect on the shadow of shared or local memory; then it is told to who follows accesses.
 * `operation` has just put its addresses on the list.
 */
export function watchedAccess(
  instruction: Instruction,
  machine: MachineState,
  operation: LaneOperation,
): LaneOperation {
  return told(instruction, machine, shadowed(instruction, machine, operation));
}

function told(instruction: Instruction, machine: MachineState, operation: LaneOperation): LaneOperation {
  const { accesses } = machine.launch;
  if (accesses === undefined || instruction.space === "local") return operation;
  const { words, start } = spaceOf(instruction, machine);
  const registers = machine.registers.i32;
  const sources = instruction.op === "st" ? instruction.src.slice(1) : [];
  const rows = sources.map((_, index) => machine.layout.operand(instruction, index + 1));
  const wide = rowWords(instruction.type) === 64;
  let from = 0;
  const stored = (lane: number, k: number): number =>
    wide ? registers[from + rows[k >> 1]! + 2 * lane + (k & 1)]! : registers[from + rows[k]! + lane]!;
  const access = { instruction, block: 0, warp: 0, lanes: 0, addresses, words, start: 0, stored };
  return (base, mask) => {
    operation(base, mask);
    from = base;
    access.block = machine.block;
    access.warp = machine.warp;
    access.lanes = mask;
    access.start = start(0);
    accesses.access(access);
  };
}

function shadowed(instruction: Instruction, machine: MachineState, operation: LaneOperation): LaneOperation {
  const { shadow } = machine;
  const { space = "global", op } = instruction;
  if (shadow === null || space === "global") return operation;
  const { start } = spaceOf(instruction, machine);
  const memory = space === "shared" ? shadow.shared : shadow.local;
  const count = accessBytes(instruction) / 4;
  const at = { memory, start };
  return (base, mask) => {
    operation(base, mask);
    if (memory.count === 0 && !shadow.active) return;
    if (op === "ld") shadow.load(instruction, base, mask, at, addresses, count);
    else if (op === "st") shadow.store(instruction.pc, base, mask, at, addresses, count);
    else shadow.atomic(instruction, base, mask, at, addresses, count);
  };
}

export function loadOperation(instruction: Instruction, machine: MachineState): LaneOperation {
  const access = compileAccess(instruction, machine);
  const { words, start } = spaceOf(instruction, machine);
  const registers = machine.registers.i32;
  const rows = Int32Array.from(instruction.dst, (reg) => machine.layout.rows[reg] ?? 0);
  const [row = 0] = rows;
  const wide = rowWords(instruction.type) === 64;
  if (rows.length === 1 && !wide && instruction.space !== "local") {
    return (base, mask) => {
      access(base, mask);
      const from = start(0);
      const to = base + row;
      if (mask === -1) {
        for (let lane = 0; lane < 32; lane++) registers[to + lane] = words[from + (addresses[lane]! >>> 2)]!;
        return;
      }
      for (let m = mask; m !== 0; m &= m - 1) {
        const lane = 31 - Math.clz32(m & -m);
        registers[to + lane] = words[from + (addresses[lane]! >>> 2)]!;
      }
    };
  }
  if (!wide && instruction.space !== "local") {
    return (base, mask) => {
      access(base, mask);
      const from = start(0);
      for (let k = 0; k < rows.length; k++) {
        const to = base + rows[k]!;
        for (let m = mask; m !== 0; m &= m - 1) {
          const lane = 31 - Math.clz32(m & -m);
          registers[to + lane] = words[from + (addresses[lane]! >>> 2) + k]!;
        }
      }
    };
  }
  return (base, mask) => {
    access(base, mask);
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      const from = start(lane) + (addresses[lane]! >>> 2);
      for (let k = 0; k < rows.length; k++) {
        const to = base + rows[k]!;
        if (wide) {
          registers[to + 2 * lane] = words[from + 2 * k]!;
          registers[to + 2 * lane + 1] = words[from + 2 * k + 1]!;
        } else registers[to + lane] = words[from + k]!;
      }
    }
  };
}

export function storeOperation(instruction: Instruction, machine: MachineState): LaneOperation {
  const access = compileAccess(instruction, machine);
  const { words, start } = spaceOf(instruction, machine);
  const registers = machine.registers.i32;
  const rows = Int32Array.from(instruction.src.slice(1), (_, index) => machine.layout.operand(instruction, index + 1));
  const [row = 0] = rows;
  const wide = rowWords(instruction.type) === 64;
  const count = accessBytes(instruction) / 4;
  if (rows.length === 1 && !wide && instruction.space !== "local") {
    return (base, mask) => {
      access(base, mask);
      machine.version++;
      const to = start(0);
      const from = base + row;
      if (machine.journal !== null) recordWords(machine, words, start, mask, count);
      if (mask === -1) {
        for (let lane = 0; lane < 32; lane++) words[to + (addresses[lane]! >>> 2)] = registers[from + lane]!;
        return;
      }
      for (let m = mask; m !== 0; m &= m - 1) {
        const lane = 31 - Math.clz32(m & -m);
        words[to + (addresses[lane]! >>> 2)] = registers[from + lane]!;
      }
    };
  }
  return (base, mask) => {
    access(base, mask);
    machine.version++;
    if (machine.journal !== null) recordWords(machine, words, start, mask, count);
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      const to = start(lane) + (addresses[lane]! >>> 2);
      for (let k = 0; k < rows.length; k++) {
        const from = base + rows[k]!;
        if (wide) {
          words[to + 2 * k] = registers[from + 2 * lane]!;
          words[to + 2 * k + 1] = registers[from + 2 * lane + 1]!;
        } else words[to + k] = registers[from + lane]!;
      }
    }
  };
}

/** Remembers what a store or atomic at the current addresses will overwrite. */
export function recordWords(
  machine: MachineState,
  words: Int32Array,
  start: (lane: number) => number,
  mask: number,
  count: number,
): void {
  const { journal } = machine;
  if (journal?.keeps(words) !== true) return;
  for (let m = mask; m !== 0; m &= m - 1) {
    const lane = 31 - Math.clz32(m & -m);
    journal.record(words, start(lane) + (addresses[lane]! >>> 2), count);
  }
}
