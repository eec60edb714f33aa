/** The JSON Schema of a device file, for editors and other programs, made from the fields and ranges that `deviceFrom` checks. */
import { DEVICE_FIELDS, isNullAllowed, isWhole } from "./check-spec.js";
import { CONFIDENCES, REQUIRED_FIELDS } from "./device-from.js";
import { DEVICE_FORMAT, unitOf } from "./device-json.js";
import { rangeOf } from "./field-ranges.js";
import { h200 } from "./gpus/h200.js";

type Schema = Readonly<Record<string, unknown>>;

function valueAt(field: string): unknown {
  return field.split(".").reduce<unknown>((group, part) => (group as Record<string, unknown>)[part], h200);
}

function numberSchema(field: string): Schema {
  const { low, high } = rangeOf(field);
  return { type: isWhole(field) ? "integer" : "number", minimum: Math.min(low, 0), maximum: high };
}

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  warpScheduling: ["greedyThenYoungest", "greedyUntilYield", "looseRoundRobin"],
  sharedBy: ["scheduler", "sm"],
};

function valueSchema(field: string): Schema {
  const value = valueAt(field);
  const texts = TEXTS[field.split(".").at(-1)!];
  if (texts !== undefined) return { enum: texts };
  if (typeof value === "boolean") return { type: "boolean" };
  if (Array.isArray(value)) return { type: "array", items: numberSchema(field) };
  return numberSchema(field);
}

function entrySchema(field: string, value: Schema): Schema {
  const unit = unitOf(field);
  const named = isNullAllowed(field) ? { anyOf: [value, { type: "null" }] } : value;
  return {
    anyOf: [
      named,
      {
        type: "object",
        properties: {
          value: named,
          ...(unit !== undefined && { unit: { const: unit } }),
          source: { type: "string" },
          confidence: { enum: CONFIDENCES },
          spread: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 },
        },
        required: ["value"],
        additionalProperties: false,
      },
    ],
  };
}

/** Groups that a GPU may not have: a file gives them as null. */
function nullGroups(): readonly string[] {
  const groups = DEVICE_FIELDS.flatMap((field) => {
    const parts = field.split(".");
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("."));
  });
  return [...new Set(groups)].filter(isNullAllowed);
}

export function deviceSchema(): Schema {
  const fields = DEVICE_FIELDS.filter((field) => !field.startsWith("computeCapability."));
  const capability = { type: "string", pattern: "^\\d{1,2}\\.\\d$" };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "A GPU for warplab",
    type: "object",
    properties: {
      $schema: { type: "string" },
      format: { const: DEVICE_FORMAT },
      id: { type: "string", minLength: 1 },
      name: { type: "string", minLength: 1 },
      architecture: { type: "string" },
      codename: { type: "string" },
      like: { type: "string" },
      source: { type: "string" },
      numbers: {
        type: "object",
        properties: Object.fromEntries([
          ["computeCapability", entrySchema("computeCapability", capability)],
          ...nullGroups().map((group) => [group, entrySchema(group, { type: "null" })]),
          ...fields.map((field) => [field, entrySchema(field, valueSchema(field))]),
        ]),
        required: REQUIRED_FIELDS,
        additionalProperties: false,
      },
    },
    required: ["format", "id", "name", "numbers"],
    additionalProperties: false,
  };
}
