/**
 * Waits that are missing between streams, or before the host uses page-locked memory, are found with both sides; corrected programs are
 * clean. The rules are the Programming Guide's: streams, events, implicit synchronisation, the default stream.
 */
import { describe, expect, test } from "vitest";
import {
  atomicAdd,
  Gpu,
  i32,
  kernel,
  launch,
  ptr,
  type SanitizerReport,
  sanitize,
  threadIdx,
} from "../../../src/index.js";

const N = 64;
const block = { grid: 1, block: N } as const;

const write = kernel("write", { data: ptr(i32) }, ({ data }) => {
  data[threadIdx.x] = i32(threadIdx.x) + 1;
});
const copyTo = kernel("copyTo", { data: ptr(i32), out: ptr(i32) }, ({ data, out }) => {
  out[threadIdx.x] = data[threadIdx.x];
});
const launchWrite = kernel("launchWrite", { data: ptr(i32) }, ({ data }) => {
  if (threadIdx.x === 0) launch(write, { grid: 1, block: 64 }, { data });
});
const countUp = kernel("countUp", { data: ptr(i32) }, ({ data }) => {
  atomicAdd(data, 0, 1);
});

/** Two streams, buffers and page-locked arrays. */
function parts(options: ConstructorParameters<typeof Gpu>[1] = {}) {
  const gpu = new Gpu("h200", { memoryBytes: 1 << 20, ...options });
  const [a, b] = [gpu.stream(), gpu.stream()];
  const zeros = (): Int32Array => new Int32Array(N);
  const [data, out] = [gpu.upload(zeros()), gpu.upload(zeros())];
  const [pinned, other] = [gpu.hostAlloc(i32, N), gpu.hostAlloc(i32, N)];
  return { gpu, a, b, data, out, pinned, other };
}
type Parts = ReturnType<typeof parts>;

interface Missing {
  readonly name: string;
  /** Both places of each finding, as the report has them. */
  readonly finds: readonly (readonly [string, string])[];
  readonly options?: ConstructorParameters<typeof Gpu>[1];
  readonly run: (parts: Parts, fixed: boolean) => void;
}

const told = ({ findings }: SanitizerReport): readonly (readonly string[])[] =>
  findings.map(({ places }) => places.map(({ kernel: name, text }) => (text === "" ? name : `${name}: ${text}`)));

const writes = "write: data[threadIdx.x] = i32(threadIdx.x) + 1;";
const reads = "copyTo: out[threadIdx.x] = data[threadIdx.x];";

const missing: readonly Missing[] = [
  {
    name: "a kernel reads what another stream's kernel writes: an event is missing",
    finds: [[writes, reads]],
    run: ({ gpu, a, b, data, out }, fixed) => {
      a.launch(write, block, { data });
      if (fixed) b.wait(gpu.event().record(a));
      b.launch(copyTo, block, { data, out });
    },
  },
  {
    name: "an event that is recorded before the launch",
    finds: [[writes, reads]],
    run: ({ gpu, a, b, data, out }, fixed) => {
      const event = gpu.event();
      if (!fixed) event.record(a);
      a.launch(write, block, { data });
      if (fixed) event.record(a);
      b.wait(event);
      b.launch(copyTo, block, { data, out });
    },
  },
  {
    name: "a wait that comes before the record",
    finds: [[writes, reads]],
    run: ({ gpu, a, b, data, out }, fixed) => {
      const event = gpu.event();
      if (!fixed) b.wait(event);
      a.launch(write, block, { data });
      event.record(a);
      if (fixed) b.wait(event);
      b.launch(copyTo, block, { data, out });
    },
  },
  {
    name: "a kernel reads what another stream's copy brings",
    finds: [["cudaMemcpyAsync HtoD in stream 1", reads]],
    run: ({ a, b, data, out, pinned }, fixed) => {
      a.write(data, pinned);
      if (fixed) a.synchronize();
      b.launch(copyTo, block, { data, out });
    },
  },
  {
    name: "a copy takes what another stream's kernel writes",
    finds: [[writes, "cudaMemcpyAsync DtoH in stream 2"]],
    run: ({ a, b, data, pinned }, fixed) => {
      a.launch(write, block, { data });
      (fixed ? a : b).read(data, pinned);
    },
  },
  {
    name: "a copy overwrites what another stream's kernel still reads",
    finds: [[reads, "cudaMemcpyAsync HtoD in stream 2"]],
    run: ({ gpu, a, b, data, out, pinned }, fixed) => {
      a.launch(copyTo, block, { data, out });
      if (fixed) gpu.synchronize();
      b.write(data, pinned);
    },
  },
  {
    name: "a memset, and a kernel in another stream that writes the same",
    finds: [["cudaMemsetAsync in stream 1", writes]],
    run: ({ gpu, a, b, data }, fixed) => {
      a.fill(data, 0);
      if (fixed) b.wait(gpu.event().record(a));
      b.launch(write, block, { data });
    },
  },
  {
    name: "a copy on the GPU of what another stream's kernel writes",
    finds: [[writes, "cudaMemcpyAsync DtoD in stream 2"]],
    run: ({ a, b, data, out }, fixed) => {
      a.launch(write, block, { data });
      (fixed ? a : b).copy(out, data);
    },
  },
  {
    name: "cudaMemcpy after a kernel of a non-blocking stream, which the default stream does not wait for",
    finds: [[writes, "cudaMemcpy DtoH in the default stream"]],
    run: ({ gpu, a, data }, fixed) => {
      const stream = fixed ? a : gpu.stream({ nonBlocking: true });
      stream.launch(write, block, { data });
      data.read();
    },
  },
  {
    name: "cudaMemcpy after a kernel of another stream, with a default stream per thread",
    finds: [[writes, "cudaMemcpy DtoH in the default stream"]],
    options: { defaultStream: "per-thread" },
    run: ({ a, data }, fixed) => {
      a.launch(write, block, { data });
      if (fixed) a.synchronize();
      data.read();
    },
  },
  {
    name: "a kernel of a non-blocking stream after one of the default stream",
    finds: [[writes, reads]],
    run: ({ gpu, data, out }, fixed) => {
      const stream = gpu.stream({ nonBlocking: true });
      gpu.launch(write, block, { data });
      if (fixed) gpu.defaultStream.synchronize();
      stream.launch(copyTo, block, { data, out });
    },
  },
  {
    name: "a kernel reads what a child grid of another stream's launch writes",
    finds: [[writes, reads]],
    run: ({ gpu, a, b, data, out }, fixed) => {
      a.launch(launchWrite, block, { data });
      if (fixed) b.wait(gpu.event().record(a));
      b.launch(copyTo, block, { data, out });
    },
  },
  {
    name: "two streams' copies through one page-locked array",
    finds: [["cudaMemcpyAsync DtoH in stream 1", "cudaMemcpyAsync HtoD in stream 2"]],
    run: ({ a, b, data, out, pinned, other }, fixed) => {
      a.read(data, pinned);
      b.write(out, fixed ? other : pinned);
    },
  },
  {
    name: "the host changes a page-locked array that a copy reads",
    finds: [["cudaMemcpyAsync HtoD in stream 1", "host program"]],
    run: ({ a, data, pinned }, fixed) => {
      a.write(data, pinned);
      if (fixed) a.synchronize();
      pinned[5] = 17;
      a.synchronize();
    },
  },
];

function reportOf({ run, options }: Missing, fixed: boolean): SanitizerReport {
  return sanitize(() => {
    const made = parts(options);
    run(made, fixed);
    made.gpu.reset();
  });
}

describe("a missing wait is found with both sides, and the corrected program is clean", () => {
  test.each(missing.map((each) => [each.name, each] as const))("%s", (_, each) => {
    const report = reportOf(each, false);
    expect(told(report)).toEqual(each.finds);
    expect(report.findings.every(({ tool, severity }) => tool === "racecheck" && severity === "error")).toBe(true);
    expect(told(reportOf(each, true))).toEqual([]);
  });
  test("the text names the streams and the cure", () => {
    const { text } = reportOf(missing[0]!, false);
    expect(text.replace(/\n=========\s+/g, " ")).toMatch(
      /Write by thread .* of kernel write in stream 1, then Read by .* of kernel copyTo in stream 2: __global__ address .*event\.record\(first\), second\.wait\(event\)/,
    );
  });
});

describe("right are", () => {
  const right: readonly (readonly [name: string, run: (parts: Parts) => void])[] = [
    [
      "parts of one buffer in several streams, with copies both ways",
      ({ gpu, data, out, pinned, other }) => {
        for (let k = 0; k < 4; k++) {
          const stream = gpu.stream();
          const part = { data: data.sub(16 * k, 16), out: out.sub(16 * k, 16) };
          stream.write(part.data, pinned.subarray(16 * k, 16 * k + 16));
          stream.launch(copyTo, { grid: 1, block: 16 }, part);
          stream.read(part.out, other.subarray(16 * k, 16 * k + 16));
        }
        gpu.synchronize();
        pinned.fill(1);
      },
    ],
    [
      "the default stream between two blocking ones",
      ({ gpu, a, b, data, out }) => {
        a.launch(write, block, { data });
        gpu.launch(copyTo, block, { data, out });
        b.launch(write, block, { data: out });
      },
    ],
    [
      "two buffers in turn, with events",
      ({ gpu, a, b, data, out, pinned, other }) => {
        const free = [gpu.event(), gpu.event()];
        for (let k = 0; k < 4; k++) {
          const [buffer, host] = k % 2 === 0 ? [data, pinned] : [out, other];
          a.wait(free[k % 2]!);
          a.write(buffer, host);
          b.wait(gpu.event().record(a));
          b.launch(write, block, { data: buffer });
          free[k % 2]!.record(b);
        }
      },
    ],
    [
      "an event that the host has found done",
      ({ gpu, a, b, data, out }) => {
        a.launch(write, block, { data });
        const event = gpu.event().record(a);
        for (let k = 0; k < 10_000 && !event.done; k++) b.launch(countUp, { grid: 1, block: 1 }, { data: out });
        gpu.launch(write, block, { data: out });
        if (event.done) b.launch(write, block, { data });
      },
    ],
    [
      "copies of pageable memory, for which the host waits",
      ({ a, b, data, out }) => {
        const host = new Int32Array(N);
        a.write(data, host);
        host.fill(1);
        b.launch(copyTo, block, { data, out });
      },
    ],
    [
      "reads in two streams",
      ({ gpu, a, b, data, out }) => {
        const third = gpu.alloc(i32, N);
        a.launch(copyTo, block, { data, out });
        b.launch(copyTo, block, { data, out: third });
      },
    ],
    [
      "atomics of two streams on one counter",
      ({ gpu, a, b, data }) => {
        a.launch(countUp, block, { data });
        b.launch(countUp, block, { data });
        gpu.synchronize();
        data.read();
      },
    ],
    [
      "memory that is freed, for which the host waits for all, and given to another stream",
      ({ gpu, a, b }) => {
        const first = gpu.upload(new Int32Array(N));
        a.launch(write, block, { data: first });
        first.free();
        b.launch(write, block, { data: gpu.upload(new Int32Array(N)) });
      },
    ],
    [
      "a copy back into the array that the stream has read from",
      ({ a, data, pinned }) => {
        a.write(data, pinned);
        a.launch(write, block, { data });
        a.read(data, pinned);
        a.synchronize();
      },
    ],
    [
      "rows of two images",
      ({ gpu, a, b }) => {
        const images = [gpu.allocPitch(i32, 3, 5), gpu.allocPitch(i32, 3, 5)] as const;
        a.write(images[0], gpu.hostAlloc(i32, 15));
        b.write(images[1], gpu.hostAlloc(i32, 15));
      },
    ],
  ];
  test.each(right)("%s", (_, run) => {
    const report = sanitize(() => {
      const made = parts();
      run(made);
      made.gpu.reset();
    });
    expect(told(report)).toEqual([]);
  });
});

describe("a host that reads page-locked memory too early", () => {
  const program = (wait: (made: Parts) => void) => (): number[] => {
    const made = parts();
    const { a, data, pinned } = made;
    a.launch(write, block, { data });
    a.read(data, pinned);
    wait(made);
    return [...pinned];
  };
  test("is found where copies arrive late, with the element that differs", () => {
    const report = sanitize(
      program(() => {}),
      { schedules: 1 },
    );
    expect(report.schedules?.wrong).toEqual([]);
    expect(report.schedules?.lateCopies).toBe("the result[0] is 0, not 1");
    expect(report.errors).toBe(1);
    expect(report.text).toContain("COPIES: the host reads page-locked memory before");
  });
  test.each<readonly [string, (made: Parts) => void]>([
    ["its stream", ({ a }) => a.synchronize()],
    ["the GPU", ({ gpu }) => gpu.synchronize()],
    ["an event behind the copy", ({ gpu, a }) => gpu.event().record(a).synchronize()],
    ["a later cudaMemcpy of the default stream", ({ data }) => data.read()],
  ])("is right where it waits for %s", (_, wait) => {
    const report = sanitize(program(wait), { schedules: 1 });
    expect(report.schedules?.lateCopies).toBeNull();
    expect(report.errors).toBe(0);
  });
  test("gets the values of the copy's own time, and copies on from the array in order", () => {
    const report = sanitize(
      () => {
        const { a, data, out, pinned } = parts();
        a.launch(write, block, { data });
        a.read(data, pinned);
        a.fill(data, 0);
        a.write(out, pinned);
        a.synchronize();
        return [...pinned, ...out.read()];
      },
      { schedules: 1 },
    );
    expect(report.schedules?.lateCopies).toBeNull();
  });
});
