/** Each planted fault is found by the tool that should and by no other, with its lines; its corrected twin is clean. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Gpu } from "../../../src/core/host/gpu.js";
import { SANITIZER_TOOLS } from "../../../src/core/sanitizer/finding.js";
import { type SanitizerReport, sanitize } from "../../../src/index.js";
import { childRaces } from "./planted/child-races.js";
import { gridRaces } from "./planted/grid-races.js";
import { initcheckFaults } from "./planted/initcheck.js";
import { memcheckFaults } from "./planted/memcheck.js";
import { ALL, type Planted } from "./planted/planted.js";
import { blockRaces } from "./planted/racecheck.js";
import { synccheckFaults } from "./planted/synccheck.js";

const gpus = new Map(ALL.map((id) => [id, new Gpu(id, { memoryBytes: 1 << 20, stepLimit: 100_000 })]));

function report({ run, finds }: Planted, device: string, fixed: boolean): SanitizerReport {
  const gpu = gpus.get(device)!;
  const leakCheck = fixed || finds.some(({ title }) => title.startsWith("Leaked"));
  try {
    return sanitize(() => run(gpu, fixed), { leakCheck, trackUnusedMemory: true });
  } finally {
    gpu.reset();
  }
}

/** The findings of a report, as the table of planted faults has it. */
function told({ findings }: SanitizerReport): readonly string[] {
  return findings.map(({ tool, severity, title, places }) =>
    [tool, severity, title, ...places.filter(({ line }) => line !== null).map(({ text }) => text)].join(" | "),
  );
}

const faults = [...memcheckFaults, ...blockRaces, ...gridRaces, ...childRaces, ...initcheckFaults, ...synccheckFaults];

/** The expected findings, each as the report has it where it is there. */
function wanted({ finds }: Planted, found: readonly string[]): readonly string[] {
  const left = [...found];
  return finds.map(({ tool, severity, title, lines }) => {
    const at = left.findIndex((text) => {
      const [by, as, what, ...texts] = text.split(" | ");
      const there = by === tool && as === severity && what?.includes(title) === true && texts.length === lines.length;
      return there && lines.every((line, k) => texts[k]?.includes(line));
    });
    return at < 0 ? `missing: ${[tool, severity, title, ...lines].join(" | ")}` : left.splice(at, 1)[0]!;
  });
}

const rows = faults.flatMap((fault) => fault.devices.map((device) => [fault.name, device, fault] as const));

describe("a planted fault", () => {
  it.each(rows)("is found by the tool that should and by no other, with its lines: %s, on %s", (_, device, fault) => {
    const found = told(report(fault, device, false));
    expect([...found].sort()).toEqual([...wanted(fault, found)].sort());
  });

  it.each(rows)("is gone from the corrected program: %s, on %s", (_, device, fault) => {
    expect(told(report(fault, device, true))).toEqual([]);
  });

  /** The GPU with launches whose child grids run early. */
  const early = (gpu: Gpu): Gpu => {
    const own: Pick<Gpu, "launch" | "upload" | "alloc"> = {
      launch: (kernel, config, args) => gpu.launch(kernel, { ...config, schedule: { children: "early" } }, args),
      upload: (data) => gpu.upload(data),
      alloc: (type, length) => gpu.alloc(type, length),
    };
    return own as Gpu;
  };
  const between = childRaces.flatMap((fault) => fault.devices.map((device) => [fault.name, device, fault] as const));
  it.each(between)("of child grids is found where they run early, too: %s, on %s", (_, device, fault) => {
    const gpu = gpus.get(device)!;
    expect(sanitize(() => fault.run(early(gpu), false), { tool: "racecheck" }).errors).toBeGreaterThan(0);
    expect(sanitize(() => fault.run(early(gpu), true), { tool: "racecheck" }).errors).toBe(0);
    gpu.reset();
  });

  it("is nobody else's where each tool runs alone: a read that comes before the write it races with", () => {
    const [early] = blockRaces;
    const gpu = gpus.get("v100")!;
    const tools = SANITIZER_TOOLS.filter((tool) => sanitize(() => early!.run(gpu, false), { tool }).errors > 0);
    expect(tools).toEqual(["racecheck"]);
  });

  it("stands in a table of at least 44, each with a name of its own", () => {
    expect(new Set(faults.map(({ name }) => name)).size).toBeGreaterThanOrEqual(44);
  });

  it("is a row of the kept table of faults", () => {
    expect(readFileSync(new URL("FAULTS.md", import.meta.url), "utf8")).toBe(faultTable());
  });
});

/** Which tool finds which fault, on which GPUs, in which words. */
function faultTable(): string {
  const cell = (text: string): string => text.replaceAll("|", "/");
  const lines = faults.map(({ name, devices, finds }) => {
    const tools = [
      ...new Set(finds.map(({ tool, severity }) => (severity === "error" ? tool : `${tool} (${severity})`))),
    ];
    const titles = [...new Set(finds.map(({ title }) => title))];
    return `| ${[name, tools.join(", "), titles.join("; "), devices.join(", ")].map(cell).join(" | ")} |`;
  });
  return [
    "# Planted faults",
    "",
    "Each has a corrected twin in which no tool finds anything. `planted-faults.test.ts` runs both, and holds this table.",
    "",
    "| fault | tool | finding | GPUs |",
    "|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}
