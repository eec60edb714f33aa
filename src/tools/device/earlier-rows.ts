/**
 * Rows of the project's earlier microbenchmarks (test/reference/h200/micro) as the readings that measure.cu prints. Where they
 * measured a quantity in another way, what that adds was found on the H200, which has both.
 */
import type { Reading, Row } from "./reading.js";

interface EarlierRow {
  readonly row: Row;
  readonly from: string;
}

/** A reading's name and value. */
type Named = readonly [name: string, value: number];

const number = (row: Row, key: string): number => Number(row[key]);

/** An SM clock of the cards that these ran on. */
const CYCLES_A_NANOSECOND = 1.98;

const CHAINS: Readonly<Record<string, string>> = {
  lop3_only: "lop3",
  imad: "imad",
  ffma: "ffma",
  dadd: "dadd",
  mufu_ex2: "ex2",
  setp_selp: "setp_selp",
  setp_ballot: "setp_ballot",
  shfl_bfly: "shfl",
  redux_add: "redux",
  match_any: "match_any",
  match_all: "match_all",
};

/** Of the others the compiler moved a chain to the uniform datapath, or merged it. */
const RATES: Readonly<Record<string, string>> = {
  ffma: "ffma",
  dadd: "dadd",
  mufu_ex2: "ex2",
  redux_add: "redux",
  match_all: "match_all",
};

function operations(row: Row): readonly Named[] {
  const chain = CHAINS[String(row.micro)];
  if (chain !== undefined && "cycles_per_statement" in row)
    return [[`chain.${chain}`, number(row, "cycles_per_statement")]];
  const rate = RATES[String(row.throughput)];
  if (rate !== undefined && number(row, "threads") >= 512)
    return [[`rate.${rate}`, number(row, "warp_statements_per_cycle_sm")]];
  if (row.micro === "loop_of_one_xor" && row.threads === 32) return [["loop.one", number(row, "cycles_per_iteration")]];
  if (row.micro === "special_rate" && row.register === "smid" && number(row, "warps") >= 4) {
    return [["special.rate", number(row, "cyclesPerInstructionSM")]];
  }
  return [];
}

function shared(row: Row): readonly Named[] {
  const stride = number(row, "stride_words");
  if (row.micro === "shared_load_chain") return [[`shared.chain.${stride}`, number(row, "cycles_per_op")]];
  const isRate = row.throughput === "shared_load" || row.throughput === "shared_store";
  if (isRate && row.threads === 1024) {
    // A predicated-off partner takes a cycle beside each.
    const name = row.throughput === "shared_load" ? "shared.load" : "shared.store";
    return [[`${name}.${stride}`, number(row, "cycles_per_warp_op") - ("less_partner" in row ? 0 : 1)]];
  }
  const lanes = number(row, "lanes_per_address");
  if (row.micro === "shared_atomic_returning" && row.threads === 32) {
    return [[`shared.atomic.${lanes}`, number(row, "cycles_per_warp_op")]];
  }
  if (row.micro === "shared_red" && row.threads === 1024)
    return [[`shared.red.${lanes}`, number(row, "cycles_per_warp_op")]];
  return [];
}

function barriers(row: Row): readonly Named[] {
  if (row.micro !== "syncthreads" || !("cycles_per_barrier" in row)) return [];
  const warps = number(row, "threads") / 32;
  // Its loop takes a cycle.
  if (row.blocks_per_sm === 1) return [[`barrier.${warps}`, number(row, "cycles_per_barrier") - 1]];
  return row.blocks_per_sm === 8 && warps === 8 ? [["barrier.8x8", number(row, "cycles_per_barrier")]] : [];
}

function latencies(row: Row): readonly Named[] {
  const kib = number(row, "KiB");
  if (row.micro === "pointer_chase_ca_32B")
    return kib >= 64 ? [[`l1.chase.${kib}`, number(row, "cycles_per_load")]] : [];
  if (row.micro === "pointer_chase_cg") {
    return kib >= 512 && kib <= 20480 ? [[`l2.chase.${kib}`, number(row, "cycles_per_load")]] : [];
  }
  const isIdle = row.micro === "load_latency_by_L2" && row.L2 === "clean" && row.loads === 1 && row.warpsPerSM === 8;
  // A chase takes 30 cycles fewer than a load of eight warps: the clock's reading and the queue.
  if (isIdle && row.block === 256) return [["dram.chase", number(row, "mean") - 30]];
  if (row.micro === "lanes" && row.pattern === "stride32") return [["l2.lines.32", number(row, "miss1")]];
  if (row.micro === "l1_load" && row.kind === "32 words, 33 apart" && number(row, "warpsPerSM") >= 32) {
    return [["l1.lines.33", number(row, "cyclesPerRequestSM")]];
  }
  return [];
}

function streams(row: Row): readonly Named[] {
  if ("l2_read_MiB" in row) return [[`l2.read.${row.l2_read_MiB}`, number(row, "GBps")]];
  if (row.micro === "span") return [[`l2.write.${row.MiB}`, number(row, "MiB") >= 24 ? number(row, "writeGBps") : 0]];
  if ("dram_read" in row) return [["dram.read.loop", number(row, "GBps")]];
  if ("dram_write" in row) return [["dram.write.loop", number(row, "GBps")]];
  if ("strided_read_words" in row) return [[`dram.strided.${row.strided_read_words}`, number(row, "useful_GBps")]];
  return [];
}

function launches(row: Row): readonly Named[] {
  if (row.event_timed_empty_grid === 1) return [["launch.idle", number(row, "us")]];
  if ("launch_event_ms" in row) return [["launch.idle", number(row, "launch_event_ms") * 1e3]];
  if ("launch_back_to_back_us" in row) return [["launch.backToBack", number(row, "launch_back_to_back_us")]];
  if (row.micro === "after" && row.state === "clean L2" && row.what === "empty")
    return [["launch.queued", number(row, "us")]];
  if (row.micro === "global_atomic_returning_chain" && row.threads === 1)
    return [["atomic.chain", number(row, "cycles_per_op")]];
  return [];
}

/** Of rows that are read together. */
function difference(rows: readonly Row[], is: (row: Row) => boolean, key: string, by: string): number | undefined {
  const found = rows.filter(is).sort((a, b) => number(a, by) - number(b, by));
  const [few, more] = [found[0], found.at(-1)];
  return few === undefined || more === undefined || few === more ? undefined : number(more, key) - number(few, key);
}

/** GB/s of the megabytes that a longer stream has more. */
function streamPairs(rows: readonly Row[]): readonly Named[] {
  const found: Named[] = [];
  for (const micro of ["streams", "streamsLoop"]) {
    for (const [reads, writes, kind] of [
      [1, 0, "read"],
      [0, 1, "write"],
      [1, 1, "copy"],
    ] as const) {
      const is = (row: Row): boolean => row.micro === micro && row.reads === reads && row.writes === writes;
      const us = difference(rows, is, "cleanUs", "MB");
      const megabytes = difference(rows, is, "MB", "MB");
      // The loop of the streams has one load in flight: only copies were read from both.
      if (us === undefined || megabytes === undefined || (micro === "streamsLoop" && kind !== "copy")) continue;
      found.push([
        `dram.${kind}.${micro === "streams" ? "pieces" : "loop"}`,
        ((reads + writes) * megabytes * 1e3) / us,
      ]);
    }
  }
  return found;
}

/** Microseconds of an empty kernel's event that are no part of a longer kernel. */
const INSIDE_A_KERNEL = 1.35;

function blocksAndAtomics(rows: readonly Row[]): readonly Named[] {
  const idle = rows.find((row) => row.event_timed_empty_grid === 1);
  if (idle === undefined) return [];
  const launchMs = (number(idle, "us") - INSIDE_A_KERNEL) / 1e3;
  const ofBlocks = rows.filter((row) => "empty_blocks_of" in row);
  const sms = (row: Row): number => number(row, "blocks") / 400;
  const blocks = ofBlocks.flatMap((row): readonly Named[] => {
    const nanoseconds = ((number(row, "ms") - launchMs) * 1e6) / number(row, "blocks");
    const warps = number(row, "empty_blocks_of") / 32;
    if (row.blocks_per_sm === 1) return [[`blocks.residency.${warps}`, nanoseconds * sms(row) * CYCLES_A_NANOSECOND]];
    return warps === 1 && row.blocks_per_sm === 32 ? [["blocks.dispatch", nanoseconds]] : [];
  });
  // The first rows are of one block, the last of eight an SM; 64 requests a warp.
  const reds = (kind: string): readonly Row[] => rows.filter((row) => row.atomic === kind);
  const alone = reds("red 32 lanes one address, own sector a warp")[0];
  const all = reds("red one lane a warp, one address").at(-1);
  if (alone === undefined || all === undefined || number(all, "ms") < 0.1) return blocks;
  const requests = number(all, "blocks_of_256") * 8 * 64 || 1056 * 8 * 64;
  return [
    ...blocks,
    ["atomic.lanes", ((number(alone, "ms") - launchMs) * 1e6) / (8 * 64)],
    ["atomic.address", ((number(all, "ms") - launchMs) * 1e6) / requests],
  ];
}

/** Repeated and first reads of spans, by MiB. */
function repeated(row: Row): readonly Named[] {
  if (row.micro !== "repeated" || row.kind !== "read" || row.type !== "int") return [];
  return [
    [`l2.again.${row.MiB}MiB`, number(row, "repeatedUs")],
    [`l2.first.${row.MiB}MiB`, number(row, "cleanUs")],
  ];
}

const MAKERS = [operations, shared, barriers, latencies, streams, launches, repeated];

function unitOf(name: string): string {
  if (/^(l2\.(read|write)|dram\.(read|write|copy|strided))/.test(name)) return "GB/s";
  if (/^(launch|l2\.(again|first))/.test(name)) return "us";
  if (/^(blocks\.dispatch|atomic\.(lanes|address))$/.test(name)) return "ns";
  return name.startsWith("rate.") ? "a cycle and SM" : "cycles";
}

/** One reading a name: the median of its rows (the lower of two), with the least and the greatest. */
export function earlierReadings(rows: readonly EarlierRow[]): readonly Reading[] {
  const values = new Map<string, { readonly from: Set<string>; readonly all: number[] }>();
  const add = ([name, value]: Named, from: string): void => {
    if (!(value > 0)) return;
    const entry = values.get(name) ?? { from: new Set<string>(), all: [] };
    entry.from.add(from);
    entry.all.push(value);
    values.set(name, entry);
  };
  for (const { row, from } of rows) for (const make of MAKERS) for (const named of make(row)) add(named, from);
  for (const from of new Set(rows.map((each) => each.from))) {
    const own = rows.filter((each) => each.from === from).map(({ row }) => row);
    for (const named of [...streamPairs(own), ...blocksAndAtomics(own)]) add(named, from);
  }
  return [...values].map(([name, { from, all }]) => {
    const sorted = [...all].sort((a, b) => a - b);
    const value = sorted[Math.floor((sorted.length - 1) / 2)]!;
    const files = [...from].join(", ");
    return { name, value, low: sorted[0]!, high: sorted.at(-1)!, unit: unitOf(name), from: `${files}: ${name}` };
  });
}
