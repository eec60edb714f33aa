/** Loads, stores and atomics: bounds and alignment first, then counters, then the lanes in ascending order. */
import type { Instruction } from "../../../lower/program.js";
import type { TraceEvent } from "../../engine.js";
import { accessBytes, accessWords, misaligned, outOfBounds, rootExtent } from "../../faults.js";
import { populationCount } from "../../population-count.js";
import { ONE_A_BANK, serviceOf, sharedPasses, sharedWavefronts } from "../../semantics/bank-conflicts.js";
import { returnedWavefronts } from "../../semantics/l1-tags.js";
import { narrowPart, withNarrowPart } from "../../semantics/narrow-memory.js";
import { wrappedAddress } from "../../semantics/shared-address.js";
import { bankBit, HALF_WARP, spinPlace } from "../../semantics/spin.js";
import type { MachineState } from "../machine-state.js";
import { localWords } from "../machine-state.js";
import { rowWords } from "../register-layout.js";
import { GLOBAL_WORDS } from "../watched-words.js";
import { collectSectors, countLines, repeatSectors } from "./coalescing.js";
import type { LaneOperation } from "./lane-operation.js";
import { collectLocalSectors } from "./local-layout.js";
import { wrappedIndex } from "./wrapped-index.js";

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
    if (bad !== 0) refuseFaulty(machine, instruction, base, mask);
    counters.requests[pc]! += 1;
  };
  if (space === "local") {
    return (base, mask) => {
      resolve(base, mask);
      collectLocalSectors(addresses, mask, bytes, event);
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

/** Throws if lanes of the mask access out of bounds or misaligned; the lowest of them says which it is. */
function refuseFaulty(machine: MachineState, instruction: Instruction, base: number, mask: number): void {
  const { launch, layout } = machine;
  const { f64 } = machine.registers;
  const row = layout.operand(instruction, 0);
  const bytes = accessBytes(instruction);
  const alignment = Math.min(bytes, 16) - 1;
  const { lowest, start, byteLength } = rootExtent(launch, instruction);
  const { space = "global", offset = 0 } = instruction;
  let lanes = 0;
  let first = 0;
  let inBounds = false;
  for (let lane = 31; lane >= 0; lane--) {
    if (((mask >>> lane) & 1) === 0) continue;
    const sum = f64[((base + row) >> 1) + lane]! + offset;
    const address = space === "global" ? sum : wrappedAddress(sum);
    const inside = address >= lowest && address <= start + byteLength - bytes;
    if (inside && (address & alignment) === 0) continue;
    lanes |= 1 << lane;
    first = address;
    inBounds = inside;
  }
  if (lanes === 0) return;
  const site = { launch, instruction, block: machine.block, warp: machine.warp, lanes };
  if (inBounds) throw misaligned(site, first);
  throw outOfBounds(site, first, wrappedIndex(machine, instruction, base, 31 - Math.clz32(lanes & -lanes)));
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

/** Words of global or shared memory, and the word where the running block's part starts. */
export interface SpaceWords {
  readonly words: Int32Array;
  start(): number;
}

export function spaceOf({ space }: Instruction, machine: MachineState): SpaceWords {
  if (space === "shared") return { words: machine.shared.i32, start: () => machine.sharedBase };
  return { words: machine.global.i32, start: () => 0 };
}

/** The place in local memory of the running warp's word at an address of a lane. */
function localPlace(machine: MachineState): (lane: number, address: number) => number {
  const perThread = localWords(machine.launch);
  const { local } = machine;
  return (lane, address) => local.at(machine.localBase + lane * perThread + (address >>> 2));
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
    access.start = start();
    accesses.access(access);
  };
}

function shadowed(instruction: Instruction, machine: MachineState, operation: LaneOperation): LaneOperation {
  const { shadow } = machine;
  const { space = "global", op } = instruction;
  if (shadow === null || space === "global") return operation;
  const memory = space === "shared" ? shadow.shared : shadow.local;
  const count = accessWords(instruction);
  const inShared = (_: number, address: number): number => machine.sharedBase + (address >>> 2);
  const at = { memory, at: space === "shared" ? inShared : localPlace(machine) };
  return (base, mask) => {
    operation(base, mask);
    if (memory.count === 0 && !shadow.active) return;
    if (op === "ld") shadow.load(instruction, base, mask, at, addresses, count);
    else if (op === "st") shadow.store(instruction, base, mask, at, addresses, count);
    else shadow.atomic(instruction, base, mask, at, addresses, count);
  };
}

export function loadOperation(instruction: Instruction, machine: MachineState): LaneOperation {
  if (instruction.space === "local") return localOperation(instruction, machine);
  const access = compileAccess(instruction, machine);
  const { words, start } = spaceOf(instruction, machine);
  const registers = machine.registers.i32;
  const rows = Int32Array.from(instruction.dst, (reg) => machine.layout.rows[reg] ?? 0);
  const [row = 0] = rows;
  const wide = rowWords(instruction.type) === 64;
  const { narrow } = instruction;
  if (narrow !== undefined) {
    return (base, mask) => {
      access(base, mask);
      const from = start();
      for (let m = mask; m !== 0; m &= m - 1) {
        const lane = 31 - Math.clz32(m & -m);
        const address = addresses[lane]!;
        registers[base + row + lane] = narrowPart(words[from + (address >>> 2)]!, address, narrow);
      }
    };
  }
  if (rows.length === 1 && !wide) {
    return (base, mask) => {
      access(base, mask);
      const from = start();
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
  if (!wide) {
    return (base, mask) => {
      access(base, mask);
      const from = start();
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
      const from = start() + (addresses[lane]! >>> 2);
      for (let k = 0; k < rows.length; k++) {
        const to = base + rows[k]! + 2 * lane;
        registers[to] = words[from + 2 * k]!;
        registers[to + 1] = words[from + 2 * k + 1]!;
      }
    }
  };
}

export function storeOperation(instruction: Instruction, machine: MachineState): LaneOperation {
  if (instruction.space === "local") return localOperation(instruction, machine);
  const access = compileAccess(instruction, machine);
  const { words, start } = spaceOf(instruction, machine);
  const registers = machine.registers.i32;
  const rows = Int32Array.from(instruction.src.slice(1), (_, index) => machine.layout.operand(instruction, index + 1));
  const [row = 0] = rows;
  const wide = rowWords(instruction.type) === 64;
  const count = accessWords(instruction);
  const { narrow } = instruction;
  if (narrow !== undefined) {
    return (base, mask) => {
      access(base, mask);
      machine.version++;
      if (machine.journal !== null) recordWords(machine, words, start(), mask, count);
      for (let m = mask; m !== 0; m &= m - 1) {
        const lane = 31 - Math.clz32(m & -m);
        const address = addresses[lane]!;
        const word = start() + (address >>> 2);
        words[word] = withNarrowPart(words[word]!, address, narrow, registers[base + row + lane]!);
      }
    };
  }
  if (rows.length === 1 && !wide) {
    return (base, mask) => {
      access(base, mask);
      machine.version++;
      const to = start();
      const from = base + row;
      if (machine.journal !== null) recordWords(machine, words, start(), mask, count);
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
    if (machine.journal !== null) recordWords(machine, words, start(), mask, count);
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      const to = start() + (addresses[lane]! >>> 2);
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

/** A load or a store of local memory, word by word: a page of a lane's may end within the access. */
function localOperation(instruction: Instruction, machine: MachineState): LaneOperation {
  const access = compileAccess(instruction, machine);
  const place = localPlace(machine);
  const { local } = machine;
  const registers = machine.registers.i32;
  const load = instruction.op === "ld";
  const rows = load
    ? instruction.dst.map((reg) => machine.layout.rows[reg] ?? 0)
    : instruction.src.slice(1).map((_, index) => machine.layout.operand(instruction, index + 1));
  const wide = rowWords(instruction.type) === 64 ? 1 : 0;
  const count = accessWords(instruction);
  const { narrow } = instruction;
  return (base, mask) => {
    access(base, mask);
    if (!load) machine.version++;
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      for (let k = 0; k < count; k++) {
        const at = place(lane, addresses[lane]! + 4 * k);
        const words = local.chunkOf(at);
        const word = local.inChunk(at);
        const register = base + rows[k >> wide]! + (lane << wide) + (k & wide);
        const old = words[word]!;
        const address = addresses[lane]!;
        if (load) registers[register] = narrow === undefined ? old : narrowPart(old, address, narrow);
        else {
          machine.journal?.record(words, word, 1);
          const value = registers[register]!;
          words[word] = narrow === undefined ? value : withNarrowPart(old, address, narrow, value);
        }
      }
    }
  };
}

/** Remembers what a store or atomic at the current addresses will overwrite. */
export function recordWords(
  machine: MachineState,
  words: Int32Array,
  start: number,
  mask: number,
  count: number,
): void {
  const { journal } = machine;
  if (journal?.keeps(words) !== true) return;
  for (let m = mask; m !== 0; m &= m - 1) {
    const lane = 31 - Math.clz32(m & -m);
    journal.record(words, start + (addresses[lane]! >>> 2), count);
  }
}
