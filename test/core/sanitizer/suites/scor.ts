/**
 * ScoR's patterns of scoped synchronisation, written anew: two actors, of two blocks or of two warps of one block, meet at one
 * word. The language has no atomics of block scope. Codes whose fault is such a scope are left out. Elsewhere a device-wide
 * atomic stands in its place.
 */
import {
  i32,
  type Kernel,
  kernel,
  type PointerParameter,
  ptr,
  type ScalarType,
  volatile,
} from "../../../../src/index.js";

type Ints = PointerParameter<ScalarType<"i32">>;
type Cells = { readonly data: Ints; readonly flag: Ints; readonly out: Ints };
export type ScopeKernel = Kernel<Cells>;

const plain: Cells = { data: ptr(i32), flag: ptr(i32), out: ptr(i32) };
/** As the suite has it. */
const asVolatile: Cells = { ...plain, data: volatile(ptr(i32)) };

/** Fences. */
const [NONE, BLOCK, DEVICE] = [0, 1, 2];

function twoWrites(params: Cells): ScopeKernel {
  return kernel(
    "two_writes",
    { params, constants: { blocks: true, atomicSecond: true } },
    ({ data }, { blockIdx, threadIdx, atomicExch }, { blocks, atomicSecond }) => {
      if (blockIdx.x === 0 && threadIdx.x === 0) {
        atomicExch(data, 0, 1);
      } else if (blocks ? threadIdx.x === 0 : threadIdx.x === 32) {
        if (atomicSecond) atomicExch(data, 0, 2);
        else data[0] = 2;
      }
    },
  );
}

function handOver(params: Cells): ScopeKernel {
  return kernel(
    "hand_over",
    { params, constants: { blocks: true, fence: 2, readsAgain: false } },
    (
      { data, flag, out },
      { blockIdx, threadIdx, atomicExch, threadfence, threadfence_block },
      { blocks, fence, readsAgain },
    ) => {
      if (blockIdx.x === 0 && threadIdx.x === 0) {
        if (readsAgain) out[0] = data[0];
        else data[0] = 1;
        if (fence === 1) threadfence_block();
        if (fence === 2) threadfence();
        atomicExch(flag, 0, 1);
        if (readsAgain) out[1] = data[0];
      } else if (blocks ? threadIdx.x === 0 : threadIdx.x === 32) {
        while (atomicExch(flag, 0, 0) === 0) {}
        if (readsAgain) data[0] = 1;
        else out[0] = data[0];
      }
    },
  );
}

function criticalSections(params: Cells): ScopeKernel {
  return kernel(
    "critical_sections",
    { params, constants: { blocks: true, acquire: 2, release: 2, secondLocks: true, writesOutside: false } },
    (
      { data, flag, out },
      { blockIdx, threadIdx, atomicCAS, atomicExch, threadfence, threadfence_block },
      { blocks, acquire, release, secondLocks, writesOutside },
    ) => {
      if (blockIdx.x === 0 && threadIdx.x === 0) {
        while (atomicCAS(flag, 0, 0, 1) !== 0) {}
        if (acquire === 1) threadfence_block();
        if (acquire === 2) threadfence();
        if (writesOutside) out[0] = data[0];
        else data[0] = 1;
        if (release === 1) threadfence_block();
        if (release === 2) threadfence();
        atomicExch(flag, 0, 0);
        if (writesOutside) data[0] = 1;
      } else if (blocks ? threadIdx.x === 0 : threadIdx.x === 32) {
        if (secondLocks) {
          while (atomicCAS(flag, 0, 0, 1) !== 0) {}
          if (blocks) threadfence();
          else threadfence_block();
        }
        if (writesOutside) out[1] = data[0];
        else data[0] = 2;
        if (secondLocks) {
          if (release === 1) threadfence_block();
          if (release === 2) threadfence();
          atomicExch(flag, 0, 0);
        }
      }
    },
  );
}

/** From thread to thread within a block, to the next block, and to a thread of that. From the second on, `word` is the flag. */
function relay(params: Cells): ScopeKernel {
  return kernel(
    "relay",
    { params, constants: { first: 1, between: 2, adds: true, word: 0 } },
    (
      { data, flag, out },
      { blockIdx, threadIdx, atomicAdd, atomicExch, threadfence, threadfence_block },
      { first, between, adds, word },
    ) => {
      const [one, other] = [threadIdx.x === 0, threadIdx.x === 32];
      if (blockIdx.x === 0 && one) {
        data[0] = 1;
        if (first === 1) threadfence_block();
        if (first === 2) threadfence();
        atomicExch(flag, 0, 1);
      } else if (blockIdx.x === 0 && other) {
        while (atomicAdd(flag, 0, 0) !== 1) {}
        if (adds) data[0] += 2;
        if (between === 1) threadfence_block();
        if (between === 2) threadfence();
        atomicExch(flag, word, 2);
      } else if (one) {
        while (atomicAdd(flag, word, 0) !== 2) {}
        if (adds) data[0] += 2;
        threadfence_block();
        atomicExch(flag, word, 3);
      } else if (other) {
        while (atomicAdd(flag, word, 0) !== 3) {}
        out[0] = data[0];
      }
    },
  );
}

/** One thread alone. */
function alone(params: Cells): ScopeKernel {
  return kernel(
    "alone",
    { params, constants: { locks: true } },
    ({ data, flag }, { threadIdx, atomicCAS, atomicExch, threadfence_block }, { locks }) => {
      if (threadIdx.x === 0) {
        if (locks) {
          while (atomicCAS(flag, 0, 0, 1) !== 0) {}
          threadfence_block();
          data[0] = 1;
          threadfence_block();
          atomicExch(flag, 0, 0);
        } else {
          atomicExch(data, 0, 1);
        }
        data[0] = 2;
      }
    },
  );
}

/** Why racecheck misses a race: it takes an atomic that reads a release for an acquire, with or without a fence behind it. */
const NO_ACQUIRE = "a lock is taken without the fence that CUDA's memory model asks for";

type Constants = Readonly<Record<string, number | boolean>>;

export interface ScopeCode {
  /** The name, the suite's where it has the code, says whether it is a race. */
  readonly name: string;
  readonly racy: boolean;
  readonly blocks: number;
  /** With plain data, and with volatile data as the suite has it. */
  readonly plain: ScopeKernel;
  readonly volatile: ScopeKernel;
  /** Why racecheck does not find the race; null where it does. */
  readonly missed: string | null;
}

function code(
  name: string,
  made: (params: Cells) => ScopeKernel,
  constants: Constants,
  missed: string | null = null,
): ScopeCode {
  const { blocks: ofBlocks = made !== alone } = constants;
  const racy = name.startsWith("race_");
  return {
    name,
    racy,
    blocks: ofBlocks === true ? 2 : 1,
    plain: made(plain).with(constants),
    volatile: made(asVolatile).with(constants),
    missed,
  };
}

export const SCOPE_CODES: readonly ScopeCode[] = [
  code("norace_interblock_atom", twoWrites, {}),
  code("norace_interblock_fence_raw", handOver, {}),
  code("norace_interblock_lock_waw", criticalSections, {}),
  code("norace_interwarp-block_fence_hrf-indirect", relay, {}),
  code("norace_interwarp_atom", twoWrites, { blocks: false }),
  code("norace_interwarp_blkfence_raw", handOver, { blocks: false, fence: BLOCK }),
  code("norace_interwarp_fence_raw", handOver, { blocks: false, fence: DEVICE }),
  code("norace_interwarp_lock_waw", criticalSections, { blocks: false, acquire: BLOCK, release: BLOCK }),
  code("norace_intrawarp_none-atom", alone, { locks: false }),
  code("norace_intrawarp_none-lock_waw", alone, { locks: true }),
  code("race_interblock_blkfence_raw", handOver, { fence: BLOCK }),
  code("race_interblock_fence_rtraw", handOver, { readsAgain: true }),
  code("race_interblock_lock-blkfence_waw", criticalSections, { acquire: BLOCK }, NO_ACQUIRE),
  code("race_interblock_lock-no-stf_waw", criticalSections, { acquire: NONE }, NO_ACQUIRE),
  code("race_interblock_lock-no-tf_waw", criticalSections, { release: NONE }),
  code("race_interblock_none-atom_waw", twoWrites, { atomicSecond: false }),
  code("race_interblock_none-lock_rtraw", criticalSections, { writesOutside: true }),
  code("race_interblock_none-lock_waw", criticalSections, { secondLocks: false }),
  code(
    "race_interwarp_lock-no-stf_waw",
    criticalSections,
    { blocks: false, acquire: NONE, release: BLOCK },
    NO_ACQUIRE,
  ),
  code("race_interwarp_lock-no-tf_waw", criticalSections, { blocks: false, acquire: BLOCK, release: NONE }),
  code("race_interwarp_none-atom_waw", twoWrites, { blocks: false, atomicSecond: false }),
  code("race_interwarp_none-lock_waw", criticalSections, { blocks: false, secondLocks: false }),
  code("norace_relay_passes-on", relay, { adds: false, word: 1 }),
  code("race_relay_blkfence", relay, { between: BLOCK }),
  code("race_relay_passes-on_blkfence", relay, { first: DEVICE, between: BLOCK, adds: false, word: 1 }),
  code("race_interblock_none_raw", handOver, { fence: NONE }),
];
