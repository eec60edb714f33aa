/** Holds an exercise's data to labs/exercise.schema.json, by which editors complete it, too. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ErrorObject, ValidateFunction } from "ajv";
import { InputError } from "../core/base/errors.js";
import { devices as knownDevices } from "../core/device/index.js";
import { type CheckSpec, checkName, type DrawRange, type ExerciseSpec, pointsOf } from "../course/exercises/spec.js";
import { courseRoot } from "./course-root.js";

let compiled: ValidateFunction<ExerciseSpec> | undefined;

function schema(): ValidateFunction<ExerciseSpec> {
  if (compiled === undefined) {
    // Loaded when the first exercise is read: a notebook's first cell imports the package and would wait for it.
    const { Ajv } = createRequire(import.meta.url)("ajv") as typeof import("ajv");
    const ajv = new Ajv({ verbose: true, discriminator: true, allowUnionTypes: true, strictRequired: false });
    compiled = ajv.compile<ExerciseSpec>(
      JSON.parse(readFileSync(join(courseRoot(), "labs/exercise.schema.json"), "utf8")),
    );
  }
  return compiled;
}

function refuse(file: string, path: string, value: unknown, cure: string): never {
  const shown = value === undefined ? "missing" : JSON.stringify(value);
  throw new InputError({ what: `${file}: ${path} is ${shown}.`, cure });
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  boolean: "true or false",
  number: "a number",
  integer: "a whole number",
  array: "a list",
  object: "an object",
  null: "null",
};

/** A sentence that says which value the schema takes in place of the one that it refuses. */
function cureFor({ keyword, params, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case "type": {
      const types: readonly string[] = [params.type].flat();
      return `Give ${types.map((type) => TYPES[type] ?? type).join(" or ")}.`;
    }
    case "enum":
      return `Give one of ${params.allowedValues.join(", ")}.`;
    case "minimum":
    case "maximum": {
      const { minimum, maximum } = parentSchema as { readonly minimum?: number; readonly maximum?: number };
      return `Give a number from ${minimum} on${maximum === undefined ? "" : `, up to ${maximum}`}.`;
    }
    case "minLength":
      return "Give a text that is not empty.";
    case "minItems":
      return "Give a list of one or more.";
    default:
      return "Give what labs/exercise.schema.json asks for there.";
  }
}

/** Such as `blocks.named[0]`, from the JSON pointer `/blocks/named/0`. */
const pathOf = (pointer: string): string =>
  pointer
    .replace(/\/(\d+)/g, "[$1]")
    .replaceAll("/", ".")
    .replace(/^\./, "");

interface CheckSchema {
  readonly properties: { readonly kind: { readonly enum: readonly string[] } };
}

function refuseBy(file: string, error: ErrorObject): never {
  const { keyword, instancePath, params, data, schema: asked, parentSchema } = error;
  const within = (name: string): string => pathOf(`${instancePath}/${name}`);
  const value = (name: string): unknown => (data as Readonly<Record<string, unknown>>)[name];
  switch (keyword) {
    case "required":
      return refuse(
        file,
        within(params.missingProperty),
        undefined,
        `Add it: needed are ${(asked as string[]).join(", ")}.`,
      );
    case "additionalProperties": {
      const known = Object.keys(parentSchema?.properties ?? {}).join(", ");
      const name: string = params.additionalProperty;
      return refuse(file, within(name), value(name), `Leave it out: known are ${known}.`);
    }
    case "discriminator": {
      const cases: readonly CheckSchema[] = parentSchema?.oneOf;
      const kinds = cases.flatMap(({ properties }) => properties.kind.enum);
      return refuse(file, within(params.tag), value(params.tag), `Give one of ${kinds.join(", ")}.`);
    }
    default:
      return refuse(file, pathOf(instancePath), data, cureFor(error));
  }
}

type BandwidthSpec = Extract<CheckSpec, { readonly kind: "bandwidth" }>;

/** The GPU is one that the launches run on; steps rise, and the last gives all points. */
function checkBandwidth(file: string, path: string, check: BandwidthSpec, { devices }: ExerciseSpec): void {
  const { gpu, steps, points } = check;
  if (!knownDevices.some(({ id }) => id === gpu))
    refuse(file, `${path}.gpu`, gpu, `Its peak is not known. Give one of ${devices.flat().join(", ")}.`);
  // In a list of several the answer decides which one runs.
  if (!devices.some((ids) => ids.length === 1 && ids[0] === gpu))
    refuse(file, `${path}.gpu`, gpu, "Give a GPU that stands by itself in devices: each answer has to run on it.");
  for (const [index, step] of steps.entries()) {
    const before = steps[index - 1];
    if (before !== undefined && (step.share <= before.share || step.points <= before.points))
      refuse(file, `${path}.steps[${index}]`, step, "Let each step ask for more than the one before, and give more.");
  }
  if (steps.at(-1)?.points !== points)
    refuse(file, `${path}.points`, points, "Let the last step give all of the check's points.");
}

/** Blocks meet in the counts of a histogram, and what follows the additions of one sum follows no other output. */
function checkOutput(
  file: string,
  { sums, bins, outputBegins, checks }: Pick<ExerciseSpec, "sums" | "bins" | "outputBegins" | "checks">,
): void {
  if ((sums === "histogram") !== (bins !== null))
    refuse(file, "bins", bins ?? undefined, "Give a power of two to a histogram, and none to sums.");
  if (bins !== null && !Number.isInteger(Math.log2(bins))) refuse(file, "bins", bins, "Give a power of two.");
  if (sums === "histogram" && outputBegins !== "zeros")
    refuse(file, "outputBegins", outputBegins, "Let it be zeros: all blocks count into the same bins.");
  if (sums !== "histogram" && sums !== "scan") return;
  for (const [index, { kind }] of checks.entries()) {
    if (kind === "additions" || kind === "order")
      refuse(file, `checks[${index}].kind`, kind, `Leave it out: it follows the additions of a sum, not of a ${sums}.`);
  }
}

/** @throws InputError naming the file and the field that is missing, unknown or impossible. */
export function validExercise(file: string, data: unknown): ExerciseSpec {
  const valid = schema();
  if (!valid(data)) {
    const [error] = valid.errors ?? [];
    if (error === undefined) throw new Error(`ajv refuses ${file} without a reason.`);
    refuseBy(file, error);
  }
  const { blocks, sizes, measured, checks } = data;
  const ranges: readonly (readonly [string, DrawRange])[] = [
    ["blocks.drawn", blocks.drawn],
    ["sizes.drawn", sizes.drawn],
    ["measured.n", measured.n],
    ["measured.block", measured.block],
  ];
  for (const [path, range] of ranges) {
    if (range.least > range.most) refuse(file, path, range, "Let least be no more than most.");
  }
  if (checks[0]?.kind !== "result")
    refuse(file, "checks", checks, "Let the first check be the result: the others need it.");
  const { $schema: _, ...spec } = data as ExerciseSpec & { readonly $schema?: string };
  const { blockConstant = null, mostBlocks = null, gridConstant = null } = spec;
  const { threadsConstant = null, blocksPerSmConstant = null, outputBegins = "garbage" } = spec;
  const { work = null, givenShared = false, starterPoints = 0, bins = null } = spec;
  checkOutput(file, { ...spec, bins, outputBegins });
  if (gridConstant !== null && mostBlocks === null) {
    refuse(file, "mostBlocks", undefined, "Say how many blocks the gridConstant may ask for.");
  }
  if (gridConstant !== null && blocksPerSmConstant !== null) {
    refuse(file, "blocksPerSmConstant", blocksPerSmConstant, "Leave it out, or the gridConstant: both say the blocks.");
  }
  if (blockConstant !== null && threadsConstant !== null) {
    refuse(
      file,
      "threadsConstant",
      threadsConstant,
      "Leave it out, or the blockConstant: both are the threads a block.",
    );
  }
  if (starterPoints >= pointsOf(spec)) {
    refuse(file, "starterPoints", starterPoints, "Leave something to do: fewer than the checks' points together.");
  }
  const names = checks.map(checkName);
  const chosen = {
    blockConstant,
    mostBlocks,
    gridConstant,
    threadsConstant,
    blocksPerSmConstant,
    outputBegins,
    work,
    givenShared,
    starterPoints,
    bins,
  };
  for (const [index, check] of checks.entries()) {
    const first = names.indexOf(names[index] ?? "");
    if (first < index) refuse(file, `checks[${index}]`, check, `Leave it out: checks[${first}] is of the same kind.`);
    if (check.kind === "bandwidth") checkBandwidth(file, `checks[${index}]`, check, spec);
  }
  return { ...spec, ...chosen };
}
