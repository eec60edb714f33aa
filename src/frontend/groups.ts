/** Cooperative groups: placeholder table, filled below. */

import type { CallHandler } from "./translator.js";
import type { GroupOperator } from "./value.js";

export const groupOperators: ReadonlyMap<string, GroupOperator> = new Map();
export const groupFunctions: ReadonlyMap<string, CallHandler> = new Map();

import type { CallSite, Translator } from "./translator.js";
import type { Group, Value } from "./value.js";

export function groupMember(t: Translator, _group: Group, call: CallSite): Value {
  return t.report.fail(call.span, "Groups are not there yet.", "Use warp primitives.");
}
