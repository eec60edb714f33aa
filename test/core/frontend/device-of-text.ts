/** A device function from its text, as `device` makes one of a function. */
import { type Callee, callees, type DeviceDefinition } from "../../../src/core/frontend/declare/definition.js";
import type { Parameters } from "../../../src/core/frontend/declare/parameter.js";

export function deviceOfText(
  name: string,
  params: Parameters,
  text: string,
  functions: Readonly<Record<string, Callee>> = {},
): DeviceDefinition {
  const made: DeviceDefinition = { kind: "device", name, text, params, constants: {}, functions };
  callees.add(made);
  return made;
}
