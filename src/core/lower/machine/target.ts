/**
 * The differences between GPU generations in generated code, one record per range of compute capabilities. From 7.5
 * to 9.0: machine code of nvcc 13.0 for test/reference/h200. 7.0 and 7.2: machine code of ptxas 12.9 from the same
 * probes' PTX. Before 7.0: assumed like 7.5 where no newer feature is involved.
 */
export interface Target {
  /** Lanes of a warp may have diverged where the text does not say so. */
  readonly independentThreads: boolean;
  /** One instruction clears a pair of registers. */
  readonly clearsPairs: boolean;
  /** NVVM strides pointers through loops (LLVM 3.7 and later). */
  readonly strides: boolean;
  /** ptxas' register numbers were measured. */
  readonly fitsRegisters: boolean;
  /** The first instruction of every kernel loads the stack pointer. */
  readonly loadsStackPointer: boolean;
  /** Global accesses need a descriptor in a uniform register. */
  readonly memoryDescriptor: boolean;
  /** The start of shared memory depends on the block's rank in its cluster, and takes three instructions. */
  readonly sharedWindow: boolean;
  /**
   * Instructions read parameters and blockDim as constant memory operands (operand-forms.ts); otherwise each takes a
   * load.
   */
  readonly constantOperands: boolean;
  /** Warp-uniform values can live in uniform registers and be computed by the uniform datapath. */
  readonly uniformDatapath: boolean;
  /** A BMOV clears the convergence barrier before each BSSY. */
  readonly clearsConvergence: boolean;
  /** A NOP precedes each BAR.SYNC. */
  readonly padsBarriers: boolean;
  /**
   * A SHFL that no lane executes starts the kernel, and each loop whose first block neither accesses memory nor
   * waits at a barrier.
   */
  readonly touchesShuffleUnit: boolean;
  /** A warp's atomics on one address are aggregated by the number of lanes, or by REDUX. */
  readonly aggregatesAtomics: boolean;
  readonly warpReduce: boolean;
  /**
   * Lanes that may have diverged wait for each other at a lone exchange; otherwise a test decides whether they must.
   */
  readonly syncsLoneExchanges: boolean;
  /** The minimum or maximum of three values, of a sum and a value, and of values clamped at zero is one instruction. */
  readonly joinsMinMax: boolean;
  /** Registers are allocated in multiples of this per thread; ptxas reports them in multiples of 1 or 2. */
  readonly reservedRegisters: number;
  /** A thread may have so many (CUDA C++ Programming Guide, technical specifications per compute capability). */
  readonly mostRegisters: number;
}

export function targetOf(capability: { readonly major: number; readonly minor: number }): Target {
  const { major, minor } = capability;
  const hopper = major >= 9;
  const volta = major === 7 && minor < 5;
  return {
    independentThreads: major >= 7,
    clearsPairs: major >= 7,
    // Measurements on GPUs before Maxwell used older compilers.
    strides: major >= 5,
    fitsRegisters: major >= 3,
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
    mostRegisters: major < 3 || (major === 3 && minor < 2) ? 63 : 255,
  };
}
