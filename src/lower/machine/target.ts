/**
 * What differs between GPU generations in the code their compilers make. One record a range of compute capabilities.
 * Source: 7.5 to 9.0: machine code of nvcc 13.0 for the probes of test/reference/h200, compiled with -arch=sm_75, sm_80,
 * sm_86, sm_89 and sm_90. 7.0 and 7.2: machine code that ptxas 12.9 makes for sm_70 and sm_72 of the same probes' PTX; public
 * listings by CUDA 10 and 11 (celeritas-project/cuda-test-snippets) have the same additions. Before 7.0: assumed like 7.5
 * where no newer feature is involved.
 */
export interface Target {
  readonly major: number;
  readonly minor: number;
  /** The first instruction of every kernel loads the stack pointer. */
  readonly loadsStackPointer: boolean;
  /** Global accesses name a descriptor that has to be loaded into a uniform register. */
  readonly memoryDescriptor: boolean;
  /** Shared memory starts at an address that depends on the block's place in its cluster: three instructions. */
  readonly sharedWindow: boolean;
  /** Instructions read parameters and blockDim from constant memory as an operand (operand-forms.ts); else a load each. */
  readonly constantOperands: boolean;
  /** Values that all lanes of a warp share can live in registers and units of their own. */
  readonly uniformDatapath: boolean;
  /** A BMOV clears the convergence barrier before each BSSY. */
  readonly clearsConvergence: boolean;
  /** A NOP stands before each BAR.SYNC. */
  readonly padsBarriers: boolean;
  /**
   * A SHFL that no lane executes stands at the start of a kernel and of a loop whose first block neither accesses memory
   * nor waits at a barrier.
   */
  readonly touchesShuffleUnit: boolean;
  /** The warp's atomics on one address are made one, by the number of lanes; by REDUX too. */
  readonly aggregatesAtomics: boolean;
  readonly warpReduce: boolean;
  /** Lanes that may be apart wait for each other at an exchange that stands alone; else it is tested whether they have to. */
  readonly syncsLoneExchanges: boolean;
  /** Minima and maxima of three values, of a sum and a value, and of none below zero are one instruction each. */
  readonly joinsMinMax: boolean;
  /** Registers a thread are allocated in multiples of this, ptxas reports them in multiples of 1 or 2. */
  readonly reservedRegisters: number;
}

export function targetOf(capability: { readonly major: number; readonly minor: number }): Target {
  const { major, minor } = capability;
  const hopper = major >= 9;
  const volta = major === 7 && minor < 5;
  return {
    major,
    minor,
    loadsStackPointer: true,
    memoryDescriptor: major >= 8,
    sharedWindow: hopper,
    constantOperands: !hopper,
    uniformDatapath: major > 7 || (major === 7 && minor >= 5),
    clearsConvergence: major === 7,
    padsBarriers: volta,
    touchesShuffleUnit: volta,
    aggregatesAtomics: major >= 7,
    warpReduce: major >= 8,
    syncsLoneExchanges: hopper,
    joinsMinMax: hopper,
    reservedRegisters: 2,
  };
}
