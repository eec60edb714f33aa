/** `npx warplab what-if FILE`: a program's launches on a GPU and on variants of it, in one table. */
import "../../files-on-disk.js";
import "../../platform.js";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { InputError } from "../../../core/base/errors.js";
import { type DeviceSpec, deviceById, deviceToJson, variantOf } from "../../../core/device/index.js";
import { COMMON_VARIANTS, namedVariants, type VariantRun, whatIfOf } from "../../../core/profiler/what-if.js";
import { toSvg } from "../../../core/show/output/svg.js";
import { parsed, programFile, readyProgram, refused } from "../run-program.js";

const USAGE = `npx warplab what-if [--device h200] [--set "sharedMemory.banks=64"]... [--json] [--figure FILE.svg] FILE
  FILE      a program (.ts, .js, .mjs) or a notebook (.ipynb) that launches on new Gpu()
  --device  the GPU as it is: an id, or a file (my-gpu.json); default h200
  --set     a variant: fields by the paths of a device file (npx warplab device --schema), with =, * or /, such as
            "l2.sizeBytes*2, l2.bandwidthGBps*2". Each --set is a variant; default some that are asked often
  --json    rows instead of the table
  --figure  write the figure too
The program runs once for each; it prints on the GPU as it is.`;

interface Options {
  readonly file: string;
  readonly device: DeviceSpec;
  readonly sets: readonly string[] | undefined;
  readonly json: boolean;
  readonly figure: string | undefined;
}

function readOptions(args: readonly string[]): Options | null {
  const text = { type: "string" } as const;
  const { values, positionals } = parsed(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        device: text,
        set: { type: "string", multiple: true },
        json: { type: "boolean" },
        figure: text,
        help: { type: "boolean" },
      },
    }),
  );
  if (values.help === true) return null;
  const file = programFile(positionals, "run");
  readyProgram(file, undefined);
  return {
    file,
    device: deviceById(values.device ?? "h200"),
    sets: values.set,
    json: values.json === true,
    figure: values.figure,
  };
}

const CHILD = fileURLToPath(new URL("what-if-child.js", import.meta.url));
const MOST_BYTES = 2 ** 26;

/** The program's launches on `device`; null where it fails, which has told why. */
function runOn(device: DeviceSpec, file: string, folder: string, prints: boolean): VariantRun | null {
  const deviceFile = join(folder, "gpu.json");
  writeFileSync(deviceFile, JSON.stringify(deviceToJson(device)));
  const { status, output } = spawnSync(process.execPath, [CHILD, resolve(file)], {
    env: { ...process.env, WARPLAB_DEVICE: deviceFile },
    // The report alone is on stdout where it is JSON.
    stdio: ["ignore", prints ? "inherit" : "ignore", "inherit", "pipe"],
    maxBuffer: MOST_BYTES,
  });
  if (status !== 0) return null;
  const run = JSON.parse(String(output[3])) as VariantRun;
  if (run.launches.length === 0) {
    throw new InputError({ what: `${file} launches no kernel.`, cure: "Give a program that launches one." });
  }
  const other = run.devices.find((name) => name !== device.name);
  if (other === undefined) return run;
  throw new InputError({
    what: `${file} launches on ${other}, which it names itself.`,
    cure: "Leave the argument of new Gpu() out, and name the GPU with --device.",
  });
}

/** @returns the exit code: 0, 1 where the program fails, 2 for options that are not allowed. */
export function runWhatIf(args: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), "warplab-"));
  try {
    const options = readOptions(args);
    if (options === null) {
      writeSync(1, `${USAGE}\n`);
      return 0;
    }
    const { file, device, json, figure } = options;
    const variants = namedVariants(options.sets ?? COMMON_VARIANTS).map((variant) => ({
      variant,
      changed: variantOf(device, variant.set),
    }));
    const base = runOn(device, file, folder, !json);
    if (base === null) return 1;
    const runs = [];
    for (const { variant, changed } of variants) {
      const run = runOn(changed, file, folder, false);
      if (run === null) return 1;
      runs.push({ variant, run });
    }
    const result = whatIfOf(device.name, base, runs);
    writeSync(1, json ? `${JSON.stringify(result.rows, null, 1)}\n` : `${result.text}\n`);
    const [picture] = result.views.flatMap((view) => (view.kind === "figure" ? [view] : []));
    if (figure !== undefined && picture !== undefined) writeFileSync(figure, toSvg(picture));
    return 0;
  } catch (problem) {
    return refused(problem, USAGE);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
