/** Reference sums for the seeds' kernels: plain loops that know nothing of blocks, warps or engines. */

/** As adding ints one by one in 32 bits gives it, computed over integers without bound. */
export function exactSum(values: Iterable<number>): number {
  let sum = 0n;
  for (const value of values) sum += BigInt(value);
  return Number(BigInt.asIntN(32, sum));
}

/** Pseudo-random ints over the whole range (xorshift32, Marsaglia 2003): their sums overflow. */
export function randomInts(n: number, seed: number): Int32Array {
  let state = seed * 2654435761 || 1;
  return Int32Array.from({ length: n }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  });
}

/** Pseudo-random floats whose sums are inexact, of both signs and sizes from 2^-12 to 2^12. */
export function randomFloats(n: number, seed: number): Float32Array {
  return Float32Array.from(randomInts(n, seed), (bits) => (bits / 2 ** 31) * 2 ** ((bits & 15) * 1.5 - 12));
}

/** One step: place i takes up place i + stride, for i below `stride`; every sum rounded to float32. */
export function halve(values: Float32Array): Float32Array {
  const stride = values.length / 2;
  return Float32Array.from({ length: stride }, (_, i) => Math.fround((values[i] ?? 0) + (values[i + stride] ?? 0)));
}

/** The sum in the order of sequential addressing: far halves first. */
export function sequentialTree(values: Float32Array): number {
  return values.length === 1 ? (values[0] ?? 0) : sequentialTree(halve(values));
}

/** The sum in the order of interleaved addressing: neighbours first. */
export function interleavedTree(values: Float32Array): number {
  if (values.length === 1) return values[0] ?? 0;
  const pairs = Float32Array.from({ length: values.length / 2 }, (_, i) =>
    Math.fround((values[2 * i] ?? 0) + (values[2 * i + 1] ?? 0)),
  );
  return interleavedTree(pairs);
}

/** Bits, so that -0, NaN and the last place count. */
export function bits(values: Iterable<number>): readonly number[] {
  return [...new Uint32Array(Float32Array.from(values).buffer)];
}
