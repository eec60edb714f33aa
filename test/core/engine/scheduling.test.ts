/** Lockstep against independent threads, hangs, and schedules chosen by a seed. */
import { describe, expect, it } from "vitest";
import { createReferenceEngine } from "../../../src/core/engine/reference/index.js";
import { faultOf } from "../host/fault-of.js";
import { execute, type LaunchOptions } from "./launch.js";

/** Each thread takes a lock, adds 1 to a counter with plain loads and stores, and gives the lock back. */
const SPIN_LOCK = `
kernel lock
param lock ptr u32
param count ptr u32
  l = addr lock[0]
  c = addr count[0]
  loop {
    old = atom.cas.u32 lock[l], 0, 1
    taken = setp.ne.u32 old, 0
  } while taken
  n = ld.u32.volatile count[c]
  n = add.u32 n, 1
  st.u32.volatile count[c], n
  fence
  atom.exch.u32 lock[l], 0`;

/** The same with the critical section inside the loop, as kernels before Volta had to be written. */
const LOCK_INSIDE = `
param lock ptr u32
param count ptr u32
  l = addr lock[0]
  c = addr count[0]
  loop {
    old = atom.cas.u32 lock[l], 0, 1
    got = setp.eq.u32 old, 0
    if got {
      n = ld.u32.volatile count[c]
      n = add.u32 n, 1
      st.u32.volatile count[c], n
      fence
      atom.exch.u32 lock[l], 0
    }
  } while !got`;

function lockArgs(): LaunchOptions["args"] & object {
  return { lock: new Uint32Array(1), count: new Uint32Array(1) };
}

describe("a lock that the lanes of one warp spin for", () => {
  it("is passed on from lane to lane with independent threads (7.0 and later), as an H200 does", () => {
    const { read } = execute(SPIN_LOCK, { grid: 2, block: 64, args: lockArgs() });
    expect(read<Uint32Array>("count")[0]).toBe(128);
  });
  it("hangs in lockstep (before 7.0): who spins and who waits is named, with lines", () => {
    const { code, message } = faultOf(() => execute(SPIN_LOCK, { block: 64, args: lockArgs(), lockstep: true }));
    expect(code).toBe("cudaErrorLaunchTimeout");
    expect(message).toContain("warp 0, lanes 0xfffffffe: spin in the loop that starts at line 8");
    expect(message).toContain("warp 0, lanes 0x00000001: wait at line 11");
    expect(message).toContain("lockstep");
  });
  it("works in lockstep with the critical section inside the loop", () => {
    const { read } = execute(LOCK_INSIDE, { block: 64, args: lockArgs(), lockstep: true });
    expect(read<Uint32Array>("count")[0]).toBe(64);
  });
});

describe("threads that wait for others", () => {
  const FLAG = `
param flag ptr u32
param out ptr u32
  f = addr flag[0]
  p = setp.eq.u32 blockIdx.x, 0
  w = setp.lt.u32 threadIdx.x, 32
  q = pand p, w
  if q {
    loop {
      v = ld.u32.volatile flag[f]
      zero = setp.eq.u32 v, 0
    } while zero
  }
  i = mad.u32 blockIdx.x, blockDim.x, threadIdx.x
  o = addr.u32 out[i]
  st.u32 out[o], 1
  last = setp.eq.u32 i, 191
  @last st.u32 flag[f], 1`;
  it("get on when a later warp or block writes what they wait for", () => {
    const { read } = execute(FLAG, {
      grid: 3,
      block: 64,
      args: { flag: new Uint32Array(1), out: new Uint32Array(192) },
    });
    expect(new Set(read<Uint32Array>("out"))).toEqual(new Set([1]));
  });
  it("are reported where nobody writes it", () => {
    const args = { flag: new Uint32Array(1), out: new Uint32Array(128) };
    const { message } = faultOf(() => execute(FLAG, { grid: 2, block: 64, args }));
    expect(message).toContain("block (0,0,0), warp 0, lanes 0xffffffff: spin in the loop that starts at line 10");
  });
  it("get on too when they count their turns, so that no turn is the same", () => {
    const counted = `reg turns u32\n${FLAG}`.replace(
      "    } while zero",
      "      turns = add.u32 turns, 1\n    } while zero",
    );
    const args = { flag: new Uint32Array(1), out: new Uint32Array(192) };
    const { read } = execute(counted, { grid: 3, block: 64, args, stepLimit: 100_000 });
    expect(new Set(read<Uint32Array>("out"))).toEqual(new Set([1]));
  });
  it("are reported at a barrier that the others do not reach", () => {
    const code = `
  p = setp.lt.u32 threadIdx.x, 32
  if p {
    bar
  } else {
    loop {
      q = setp.eq.u32 0, 0
    } while q
  }`;
    const { message } = faultOf(() => execute(code, { block: 64 }));
    expect(message).toContain("warp 0, lanes 0xffffffff: wait at line 4 (syncthreads)");
    expect(message).toContain("warp 1, lanes 0xffffffff: spin");
  });
  it("are reported at a shuffle for lanes that wait elsewhere", () => {
    const code = `
  p = setp.lt.u32 laneId, 16
  if p {
    x = shfl.u32 0xffffffff, laneId, 0, 32
  } else {
    bar
  }`;
    const { message } = faultOf(() => execute(code, { block: 32 }));
    expect(message).toContain("lanes 0x0000ffff: wait at line 4 (shfl) for lanes 0xffff0000 of its mask");
  });
  it("find the shuffle complete once the lanes outside have ended", () => {
    const code = `
param out ptr u32
  p = setp.lt.u32 laneId, 16
  exit if !p
  r = shfl.u32 0xffffffff, laneId, 3, 32
  o = addr out[threadIdx.x]
  st.u32 out[o], r`;
    const { read } = execute(code, { block: 32, args: { out: new Uint32Array(32) } });
    expect([...read<Uint32Array>("out").subarray(14, 18)]).toEqual([3, 3, 0, 0]);
  });
});

/** Lab 28's last warp: no synchronisation between the steps, volatile accesses only. */
function lastWarp(sync: boolean): string {
  const steps = [32, 16, 8, 4, 2, 1].map((k) => {
    // A barrier between the reads of a step and its writes, as the guarded step without overlap needs.
    const barrier = sync ? "syncwarp 0xffffffff" : "";
    return `x = ld.i32.volatile s[b]\n y = ld.i32.volatile s[b + ${k * 4}]\n x = add.i32 x, y\n ${barrier}\n st.i32.volatile s[b], x\n ${barrier}`;
  });
  return `
param in ptr i32
param out ptr i32
shared s i32 96
  t = mov.u32 threadIdx.x
  b = addr s[t]
  a = addr in[t]
  v = ld.i32 in[a]
  st.i32 s[b], v
  v = ld.i32 in[a + 128]
  st.i32 s[b + 128], v
  syncwarp 0xffffffff
  ${steps.join("\n")}
  z = setp.eq.u32 t, 0
  @z o = addr out[0]
  @z st.i32 out[o], x`;
}

describe("the volatile last warp without syncwarp", () => {
  const data = Int32Array.from({ length: 64 }, (_, k) => k * k + 1);
  const sum = data.reduce((a, b) => a + b, 0);
  const run = (sync: boolean, options: Partial<LaunchOptions>): number => {
    const args = { in: data, out: new Int32Array(1) };
    return execute(lastWarp(sync), { block: 32, args, ...options }).read<Int32Array>("out")[0] ?? 0;
  };
  const adversary = (seed: number) => createReferenceEngine({ schedule: { kind: "adversarial", seed } });
  const seeds = [...Array(20).keys()];
  it("gives the sum under the default schedule", () => expect(run(false, {})).toBe(sum));
  it("gives the sum before 7.0 whatever the schedule", () => {
    for (const seed of seeds) expect(run(false, { lockstep: true, engine: adversary(seed) })).toBe(sum);
  });
  it("gives wrong sums for some schedules from 7.0 on", () => {
    expect(seeds.some((seed) => run(false, { engine: adversary(seed) }) !== sum)).toBe(true);
  });
  it("gives the sum for every seed once syncwarp separates reads and writes", () => {
    for (const seed of seeds) expect([seed, run(true, { engine: adversary(seed) })]).toEqual([seed, sum]);
  });
  it("fails again in the same way for the same seed, which the result names", () => {
    const seed = seeds.find((candidate) => run(false, { engine: adversary(candidate) }) !== sum) ?? 0;
    const engine = adversary(seed);
    expect(run(false, { engine })).toBe(run(false, { engine }));
    expect(execute("x = mov.i32 1", { engine }).result).toMatchObject({ seed });
  });
});

describe("an adversarial schedule", () => {
  const engine = createReferenceEngine({ schedule: { kind: "adversarial", seed: 7 } });
  it("keeps barriers, atomics and shuffles whole", () => {
    const code = `
param out ptr u32
shared s u32 256
  t = mov.u32 threadIdx.x
  b = addr s[t]
  st.u32 s[b], t
  bar
  k = sub.u32 255, t
  c = addr.u32 s[k]
  x = ld.u32 s[c]
  y = shflXor.u32 0xffffffff, x, 1, 32
  o = addr out[0]
  atom.add.u32 out[o], y`;
    const { read } = execute(code, { grid: 6, block: 256, args: { out: new Uint32Array(1) }, engine });
    expect(read<Uint32Array>("out")[0]).toBe((6 * 255 * 256) / 2);
  });
  it("lets a lock be taken by any lane in turn", () => {
    const { read } = execute(SPIN_LOCK, { grid: 3, block: 40, args: lockArgs(), engine });
    expect(read<Uint32Array>("count")[0]).toBe(120);
  });
  it("reports a hang with the seed", () => {
    const { message } = faultOf(() =>
      execute(SPIN_LOCK, { block: 40, args: { ...lockArgs(), lock: Uint32Array.of(1) }, engine }),
    );
    expect(message).toContain("spin in the loop");
    expect(message).toContain("schedule seed 7");
  });
  it("opens the barrier of the grid", () => {
    const code = "param n ptr u32\n a = addr n[0]\n atom.add.u32 n[a], 1\n gridsync\n atom.add.u32 n[a], 1";
    const { read } = execute(code, { grid: 5, block: 40, args: { n: new Uint32Array(1) }, engine });
    expect(read<Uint32Array>("n")[0]).toBe(400);
  });
});
