/**
 * What differs between GPU generations in the code their compilers make. One record a range of compute capabilities.
 * Source: 7.5 to 9.0: machine code of nvcc 13.0 for the probes of test/reference/probes, compiled with -arch=sm_75, sm_80,
 * sm_86, sm_89 and sm_90. 2.0 and 7.0: assumed like 7.5 where no newer feature is involved (nvcc 13 compiles for neither).
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
  /** Instructions read parameters and blockDim from constant memory as an operand; else a load each. */
  readonly constantOperands: boolean;
  /** The warp's atomics on one address are made one, by the number of lanes; by REDUX too. */
  readonly aggregatesAtomics: boolean;
  readonly warpReduce: boolean;
  /** Registers a thread are allocated in multiples of this, ptxas reports them in multiples of 1 or 2. */
  readonly reservedRegisters: number;
}

export function targetOf(capability: { readonly major: number; readonly minor: number }): Target {
  const { major, minor } = capability;
  const hopper = major >= 9;
  return {
    major,
    minor,
    loadsStackPointer: true,
    memoryDescriptor: major >= 8,
    sharedWindow: hopper,
    constantOperands: !hopper,
    aggregatesAtomics: major >= 7,
    warpReduce: major >= 8,
    reservedRegisters: 2,
  };
}
