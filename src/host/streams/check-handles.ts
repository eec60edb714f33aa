/** For callers that no type checker has seen: whether a buffer or an event is one. */
import { InputError } from "../../base/errors.js";
import { shown } from "../../base/shown.js";

/** @throws InputError where `value` is not what `gpu.event()` and the like return. */
export function checkHandle(call: string, value: unknown, kind: string, cure: string): void {
  if (typeof value === "object" && value !== null && "check" in value && typeof value.check === "function") return;
  throw new InputError({ what: `${call} was given ${shown(value)}, which is not ${kind}.`, cure });
}

/** @throws InputError where `value` is no buffer of a GPU. */
export function checkBuffer(call: string, value: unknown): void {
  if (typeof value === "object" && value !== null && "owner" in value && "copyOut" in value) return;
  throw new InputError({
    what: `${call} was given ${shown(value)}, which is no buffer.`,
    cure: "Give what gpu.alloc, gpu.upload or gpu.allocPitch returns.",
  });
}
