/**
 * Public suites of racy and race-free kernels: which codes racecheck and memcheck find, and which they leave alone. The numbers stand
 * in src/core/sanitizer/README.md, too. test/core/sanitizer/suites/README.md names the sources.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Gpu, i32, type SanitizerReport, sanitize } from "../../../src/index.js";
import { BACKWARD_5, FORWARD, FORWARD_5, type PatternInput } from "./suites/graphs.js";
import { type Code, gridOf, indigoCodes, isRacy, parametersOf } from "./suites/indigo.js";
import { racesOn } from "./suites/indigo-truth.js";
import { SCOPE_CODES, type ScopeCode } from "./suites/scor.js";

const CODES = indigoCodes();
const gpuOf = (id: string): Gpu => new Gpu(id, { memoryBytes: 1 << 20 });

interface Verdict {
  readonly race: boolean;
  readonly badAccess: boolean;
}

function verdictOf({ findings }: SanitizerReport): Verdict {
  return {
    race: findings.some(({ tool, severity }) => tool === "racecheck" && severity !== "note"),
    badAccess: findings.some(({ tool }) => tool === "memcheck"),
  };
}

function report(gpu: Gpu, code: Code, input: PatternInput): SanitizerReport {
  const upload = (values: readonly number[]) => gpu.upload(Int32Array.from(values));
  const [nindex, nlist] = [upload(input.nindex), upload(input.nlist)];
  const [data1, data2] = [upload(input.data1), upload(input.data2)];
  const args = { nindex, nlist, data1, data2, numv: input.nindex.length - 1, ...parametersOf(code) };
  const told = sanitize(() => gpu.launch(code.kernel, gridOf(code, input), args), { tool: ["racecheck", "memcheck"] });
  for (const buffer of [nindex, nlist, data1, data2]) buffer.free();
  return told;
}

function judge(gpu: Gpu, code: Code, input: PatternInput): Verdict {
  return verdictOf(report(gpu, code, input));
}

function judgeScope(gpu: Gpu, code: ScopeCode, kind: "plain" | "volatile"): Verdict {
  const cells = (): ReturnType<typeof gpu.upload> => gpu.alloc(i32, 2).fill(0);
  const args = { data: cells(), flag: cells(), out: cells() };
  return verdictOf(sanitize(() => gpu.launch(code[kind], { grid: code.blocks, block: 64 }, args)));
}

interface Sorted {
  readonly right: number;
  readonly alarms: readonly string[];
  readonly missed: readonly string[];
}

/** How many were found and should be; names of those that were and should not, and that were not and should be. */
function sorted<T extends { readonly name: string }>(
  codes: readonly T[],
  found: (code: T) => boolean,
  should: (code: T) => boolean,
): Sorted {
  const verdicts = codes.map((code) => ({ name: code.name, found: found(code), should: should(code) }));
  return {
    right: verdicts.filter((each) => each.found && each.should).length,
    alarms: verdicts.filter((each) => each.found && !each.should).map(({ name }) => name),
    missed: verdicts.filter((each) => !each.found && each.should).map(({ name }) => name),
  };
}

const README = readFileSync(new URL("../../../src/core/sanitizer/README.md", import.meta.url), "utf8");

function expectRow(start: string, { right, alarms, missed }: Sorted): void {
  const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;
  const counts = [right + missed.length, right, alarms.length, missed.length];
  const shares = [percent(right, right + alarms.length), percent(right, right + missed.length)];
  expect(README).toContain(`| ${[start, ...counts, ...shares].join(" | ")} |`);
}

const hasBoundsBug = ({ options }: Code): boolean => options.includes("boundsBug");

describe("Indigo's patterns, as HiRace's authors took them", () => {
  it("are 590 codes, of which 346 race, as many as HiRace's first table counts", () => {
    expect([CODES.length, CODES.filter(isRacy).length, CODES.filter(hasBoundsBug).length]).toEqual([590, 346, 144]);
    expect(new Set(CODES.map(({ name }) => name)).size).toBe(590);
  });

  it("race on this graph where their names say so, by what the patterns access", () => {
    const codes = CODES.filter((code) => !hasBoundsBug(code));
    expect(sorted(codes, (code) => racesOn(code, FORWARD), isRacy)).toEqual({ right: 266, alarms: [], missed: [] });
  });

  it.each([
    ["v100", 1],
    ["h200", 7],
  ])("are told apart on a %s, one code in %d", (id, step) => {
    const gpu = gpuOf(id);
    const codes = CODES.filter((_, index) => index % step === 0);
    const verdicts = new Map(codes.map((code) => [code, judge(gpu, code, FORWARD)]));
    const found = (code: Code): boolean => verdicts.get(code)?.race === true;
    const [bounded, unbounded] = [codes.filter((code) => !hasBoundsBug(code)), codes.filter(hasBoundsBug)];
    const accesses = sorted(codes, (code) => verdicts.get(code)?.badAccess === true, hasBoundsBug);
    const [clean, faulty] = [sorted(bounded, found, isRacy), sorted(unbounded, found, isRacy)];
    expect([clean.alarms, clean.missed, faulty.alarms]).toEqual([[], [], []]);
    // The launch ends at the first bad access, before the race.
    const ended = unbounded.filter((code) => isRacy(code) && code.options.includes("last"));
    expect(faulty.missed).toEqual(ended.map(({ name }) => name));
    expect([accesses.alarms, accesses.missed]).toEqual([[], []]);
    if (step > 1) return;
    const where = "12 vertices | V100, a seventh on H200";
    expectRow(`Indigo, no fault of indices, ${bounded.length} | ${where}`, clean);
    expectRow(`Indigo, with a fault of indices, ${unbounded.length} | ${where}`, faulty);
    expectRow(`Indigo, memcheck for faults of indices, ${codes.length} | ${where}`, accesses);
  });

  it.each([
    { input: BACKWARD_5, name: BACKWARD_5.name },
    { input: FORWARD_5, name: FORWARD_5.name },
  ])("are judged by what they do on an input: $name", ({ input, name }) => {
    const gpu = gpuOf("v100");
    const codes = CODES.filter((code) => !hasBoundsBug(code));
    const verdicts = sorted(
      codes,
      (code) => judge(gpu, code, input).race,
      (code) => racesOn(code, input),
    );
    expect([verdicts.alarms, verdicts.missed]).toEqual([[], []]);
    expectRow(`Indigo, no fault of indices, ${codes.length} | HiRace's \`${name}\` | V100`, verdicts);
  });
});

describe("compute-sanitizer's racecheck, 2025.3.1 on an H200, run on the same shapes", () => {
  /** Hazards that it displays for a block's maximum and sum, with one vertex to a block and with several. */
  const displayed = [
    { options: [], hazards: 0 },
    { options: ["shfl"], hazards: 0 },
    { options: ["syncBug"], hazards: 1 },
    { options: ["shfl", "syncBug"], hazards: 1 },
    { options: ["atomicBug"], hazards: 0 },
  ];
  const [edge, pull] = ["conditional_edge_neighbors_block", "pull_node_neighbors_block"].map((name) =>
    CODES.find((code) => code.name === name),
  );

  it.each(displayed)("tells of shared memory what this one does: $options", ({ options, hazards }) => {
    const gpu = gpuOf("h200");
    for (const base of [edge, pull]) {
      if (base === undefined || (base === pull && options.includes("atomicBug"))) continue;
      const constants = Object.fromEntries(options.map((name) => [name, true]));
      for (const more of [[], ["persistent"]]) {
        const code: Code = { ...base, options: [...options, ...more], kernel: base.kernel.with(constants) };
        const races = report(gpu, code, FORWARD).findings.filter(({ tool }) => tool === "racecheck");
        const shared = races.filter(({ title }) => title.includes("__shared__"));
        expect([code.name, shared.length > 0]).toEqual([code.name, hazards > 0]);
        // It does not look at global memory.
        expect(races.length > shared.length).toBe(options.includes("atomicBug"));
      }
    }
  });
});

describe("ScoR's patterns of scoped synchronisation", () => {
  it.each(["v100", "h200"])("are told apart on a %s, but for locks taken without a fence", (id) => {
    const gpu = gpuOf(id);
    const verdicts = sorted(
      SCOPE_CODES,
      (code) => judgeScope(gpu, code, "plain").race,
      ({ racy }) => racy,
    );
    expect(verdicts.alarms).toEqual([]);
    expect(verdicts.missed).toEqual(SCOPE_CODES.filter(({ missed }) => missed !== null).map(({ name }) => name));
    expectRow(`ScoR, plain data, ${SCOPE_CODES.length} | two actors | V100, H200`, verdicts);
  });

  it("are no races with volatile data, which PTX takes for relaxed accesses, but for an update that may be lost", () => {
    const gpu = gpuOf("v100");
    const racy = SCOPE_CODES.filter((code) => judgeScope(gpu, code, "volatile").race);
    // data[0] += 2, in a block that has read neither of the writes before by a fence that holds for it.
    expect(racy.map(({ name }) => name)).toEqual(["race_relay_blkfence"]);
  });
});
