/** The options of `npm run tables`. */
import { parseArgs } from "node:util";
import { devices, isDeviceFile } from "../../core/device/index.js";
import { type LadderId, ladderIds } from "../../course/tables/ladder-ids.js";

const LARGEST_SIZE = 2 ** 28;
const BLOCKS: readonly number[] = [64, 128, 256, 512, 1024];

/** The ids of all GPUs, in lines that fit a narrow terminal. */
function deviceLines(): readonly string[] {
  const lines: string[] = [];
  for (const { id } of devices) {
    const last = lines.at(-1);
    if (last === undefined || `${last}${id}, `.length > 42) lines.push(`${id}, `);
    else lines[lines.length - 1] = `${last}${id}, `;
  }
  return lines.map((line, index) => (index === lines.length - 1 ? line.slice(0, -2) : line.trimEnd()));
}

export const TABLES_USAGE: string = `npm run tables -- [TABLE ...] [options]
                 (npm run -s tables -- --json > table.json)
  TABLE          lab-28 (the usual one): Labs 25 to 28
                 example-03: V1 to V5
                 notes: reductions in global memory
                 warp-reduce: shared memory against shuffles
                 all: every one of these
  --device IDS   one GPU or several, as v100,h200:
                 ${deviceLines().join("\n                 ")}
                 or a device file: my-gpu.json
                 default: the published table's
  --n SIZE       elements, as 16777216, 1e6 or 2^24
  --block N      threads a block: ${BLOCKS.join(", ")}
  --input KIND   ones or random
  --cache STATE  warm (after a run to warm up) or cold
                 (other data was written since)
                 default of these four: as published
  --json         an object with device, n, block and rows;
                 a list of these where there are several
  --csv          one line a version
  --markdown     the tables as Markdown
  --html         a page of its own, with plots
                 without any of these: plain text`;

export interface TablesOptions {
  readonly ladders: readonly LadderId[];
  /** Empty: the GPU that stands for the published table's. */
  readonly devices: readonly string[];
  readonly n?: number;
  readonly block?: number;
  readonly input?: "ones" | "random";
  readonly cache?: "cold" | "warm";
  readonly format: "text" | "markdown" | "json" | "csv" | "html";
}

/** An option that is none, or whose value is not allowed; the message names it and lists what is. */
export class OptionError extends Error {}

function among<T extends string>(name: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((each) => each === value.toLowerCase());
  if (found === undefined) throw new OptionError(`--${name} ${value}: allowed are ${allowed.join(", ")}.`);
  return found;
}

/** "16777216", "16_777_216", "1e6", "1.5e6" or "2^24". */
function readSize(text: string): number {
  const power = /^2(?:\^|\*\*)(\d{1,2})$/.exec(text);
  const isNumber = /^[0-9][0-9_]*(\.[0-9]+)?(e\+?[0-9]+)?$/i.test(text);
  const digits = isNumber ? Number(text.replaceAll("_", "")) : Number.NaN;
  const size = power === null ? digits : 2 ** Number(power[1]);
  if (size > LARGEST_SIZE) {
    throw new OptionError(`--n ${text} is too large: at most 2^28 (${LARGEST_SIZE}) elements are simulated.`);
  }
  if (!Number.isSafeInteger(size) || size < 1) {
    throw new OptionError(`--n ${text}: allowed are whole numbers from 1 to 2^28, as 16777216, 1e6 or 2^24.`);
  }
  return size;
}

function readBlock(text: string): number {
  const block = Number(text);
  if (!BLOCKS.includes(block)) {
    throw new OptionError(
      `--block ${text}: allowed are ${BLOCKS.join(", ")} (the sums halve the block down to 64 places).`,
    );
  }
  return block;
}

function laddersOf(names: readonly string[]): readonly LadderId[] {
  if (names.length === 0) return ["lab-28"];
  const found = names.map((name) => {
    const lower = name.toLowerCase();
    if (lower === "all") return ladderIds;
    const id = ladderIds.find((each) => each === lower);
    if (id === undefined) throw new OptionError(`There is no table ${name}: there are ${ladderIds.join(", ")}, all.`);
    return [id];
  });
  return [...new Set(found.flat())];
}

/** @returns the options, or the usage's text when it is asked for. @throws OptionError. */
export function readTablesOptions(args: readonly string[]): TablesOptions | string {
  let values: Readonly<Record<string, string | boolean | undefined>>;
  let positionals: readonly string[];
  try {
    ({ values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        table: { type: "string" },
        device: { type: "string" },
        n: { type: "string" },
        block: { type: "string" },
        input: { type: "string" },
        cache: { type: "string" },
        json: { type: "boolean" },
        csv: { type: "boolean" },
        markdown: { type: "boolean" },
        html: { type: "boolean" },
        help: { type: "boolean" },
      },
    }));
  } catch (error) {
    throw new OptionError(`${(error as Error).message.split(". To specify")[0]}\n${TABLES_USAGE}`);
  }
  if (values.help === true) return TABLES_USAGE;
  const text = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === "string" ? value : undefined;
  };
  const formats = (["json", "csv", "markdown", "html"] as const).filter((name) => values[name] === true);
  if (formats.length > 1)
    throw new OptionError(`--${formats.join(" and --")}: choose one of --json, --csv, --markdown, --html.`);
  const known = devices.map(({ id }) => id);
  const chosen = (text("device")?.split(",") ?? []).flatMap((id) =>
    isDeviceFile(id) ? id.trim() : (among("device", id.trim(), known) ?? []),
  );
  const n = text("n");
  const block = text("block");
  const input = among("input", text("input"), ["ones", "random"]);
  const cache = among("cache", text("cache"), ["cold", "warm"]);
  return {
    ladders: laddersOf([...positionals, ...(text("table")?.split(",") ?? [])]),
    devices: [...new Set(chosen)],
    format: formats[0] ?? "text",
    ...(n === undefined ? {} : { n: readSize(n) }),
    ...(block === undefined ? {} : { block: readBlock(block) }),
    ...(input === undefined ? {} : { input }),
    ...(cache === undefined ? {} : { cache }),
  };
}
