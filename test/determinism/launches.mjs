/**
 * Prints a digest for each kind of launch: of its counters, its predicted times, what it printed, and the memory after it. Arguments: the
 * package's entry, and how many processors to tell the engine of. Plain JavaScript, for it runs in processes of its own.
 */
import { createHash } from "node:crypto";
import os from "node:os";

const [entry, processors] = process.argv.slice(2);
if (processors !== undefined) os.availableParallelism = () => Number(processors);
const warplab = await import(entry);
const { f32, f64, Gpu, i32, kernel, ptr, reductionById, runReduction, u32 } = warplab;

const N = 1 << 13;
const ints = Int32Array.from({ length: N }, (_, i) => Math.imul(i, 0x9e3779b1) >> 7);
const floats = Float32Array.from(ints, (value) => value / 1000);

const texts = {
  copy: kernel("copy", { a: ptr(i32), b: ptr(i32) }, ({ a, b }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i];
  }),
  math: kernel("math", { a: ptr(f32), b: ptr(f32) }, ({ a, b }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = sinf(a[i]) + expf(a[i] / 100.0) + tanhf(a[i]) * rsqrtf(fabsf(a[i]) + 1.0) + powf(fabsf(a[i]), 0.3);
  }),
  doubles: kernel("doubles", { a: ptr(f64), b: ptr(f64) }, ({ a, b }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = sin(a[i]) * log(fabs(a[i]) + 2.0) + cbrt(a[i]);
  }),
  floatAtomics: kernel("floatAtomics", { a: ptr(f32), b: ptr(f32) }, ({ a, b }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(b, i % 16, a[i]);
  }),
  places: kernel("places", { a: ptr(i32), b: ptr(i32) }, ({ a, b }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (a[i] > 0) b[1 + atomicAdd(b, 0, 1)] = a[i];
  }),
  divergent: kernel("divergent", { a: ptr(i32), b: ptr(i32) }, ({ a, b }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    let sum = 0;
    for (let k = 0; k < (a[i] & 31); k++) sum += shfl_xor_sync(activemask(), k, 1) + k;
    b[i] = sum;
  }),
  prints: kernel("prints", { a: ptr(i32) }, ({ a }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 9 === 0) printf("%d: %d %f\n", i, a[i], a[i] / 3.0);
  }),
  child: kernel("child", { a: ptr(i32), at: u32 }, ({ a, at }) => {
    a[at + threadIdx.x] += 1;
  }),
};
texts.parent = kernel("parent", { a: ptr(i32) }, { child: texts.child }, ({ a }, { child }) => {
  if (threadIdx.x % 32 === 0) launch(child, { grid: 1, block: 32 }, { a, at: blockIdx.x * blockDim.x + threadIdx.x });
});

const digest = (value) => createHash("sha256").update(value).digest("hex").slice(0, 16);
const json = (value) =>
  JSON.stringify(value, (_, part) => {
    if (typeof part === "bigint") return `${part}n`;
    return ArrayBuffer.isView(part) ? [...part].map(String) : part;
  });

function digestOf(launch, ...buffers) {
  const { counters, metrics, time, timeMs, children, printed, warnings, rawCounters, occupancy } = launch;
  const child =
    children === null ? null : { count: children.count, timeMs: children.timeMs, kernels: children.kernels };
  const hash = createHash("sha256");
  hash.update(json({ counters, metrics, time, timeMs, child, printed, warnings, rawCounters, occupancy }));
  for (const buffer of buffers) hash.update(Buffer.from(buffer.read().buffer));
  return hash.digest("hex").slice(0, 16);
}

const shape = { grid: N / 256, block: 256 };
/** @type {Record<string, (gpu: InstanceType<typeof Gpu>) => string>} */
const kinds = {};
for (const name of ["copy", "divergent", "places"]) {
  kinds[name] = (gpu) => {
    const [a, b] = [gpu.upload(ints), gpu.alloc(i32, N + 1)];
    return digestOf(gpu.launch(texts[name], shape, { a, b }), b);
  };
}
for (const schedule of ["default", "random", { seed: 7 }, { seed: 8 }]) {
  kinds[`places, schedule ${json(schedule)}`] = (gpu) => {
    const [a, b] = [gpu.upload(ints.subarray(0, 2048)), gpu.alloc(i32, N + 1)];
    return digestOf(
      gpu.launch(
        texts.places,
        { grid: 8, block: 256, schedule: schedule === "random" ? { seed: 3 } : schedule },
        { a, b },
      ),
      b,
    );
  };
}
for (const name of ["math", "floatAtomics"]) {
  kinds[name] = (gpu) => {
    const [a, b] = [gpu.upload(floats), gpu.alloc(f32, N)];
    return digestOf(gpu.launch(texts[name], { ...shape, cache: "warm" }, { a, b }), b);
  };
}
kinds.doubles = (gpu) => {
  const [a, b] = [gpu.upload(Float64Array.from(floats)), gpu.alloc(f64, N)];
  return digestOf(gpu.launch(texts.doubles, shape, { a, b }), b);
};
kinds.prints = (gpu) => digestOf(gpu.launch(texts.prints, { grid: 4, block: 256 }, { a: gpu.upload(ints) }));
kinds.parent = (gpu) => {
  const a = gpu.upload(ints);
  return digestOf(gpu.launch(texts.parent, { grid: 16, block: 256 }, { a }), a);
};
for (const id of ["lab-25-divergent", "lab-26-sequential"]) {
  kinds[id] = (gpu) => {
    const { kernel: version } = reductionById(id);
    return digest(json(runReduction(gpu, version, N).launch.time));
  };
}
kinds.streams = (gpu) => {
  const [a, b] = [gpu.alloc(i32, N), gpu.alloc(i32, N)];
  const [host, streams] = [gpu.hostAlloc(i32, N), [gpu.stream(), gpu.stream()]];
  for (const stream of streams) {
    stream.write(a, host);
    stream.launch(texts.copy, shape, { a, b });
  }
  gpu.synchronize();
  const times = gpu
    .trace()
    .operations.map(({ engine, startMicroseconds, endMicroseconds }) => [engine, startMicroseconds, endMicroseconds]);
  return digest(json(times));
};

const digests = {};
for (const [kind, run] of Object.entries(kinds)) {
  for (const device of ["copy", "parent", "streams"].includes(kind) ? ["h200", "v100"] : ["h200"]) {
    const twice = [0, 1].map(() => run(new Gpu(device, { memoryBytes: 16 << 20 })));
    digests[`${kind} on ${device}`] = twice[0] === twice[1] ? twice[0] : `differs: ${twice.join(", ")}`;
  }
}
console.log(JSON.stringify(digests));
