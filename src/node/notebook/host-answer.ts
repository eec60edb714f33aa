/** Mistakes on the host to which warplab has a better answer than TypeScript, told by the compiler's numbers of its messages. */
import { unknownNameCure } from "../../core/frontend/cells/unknown-name.js";
import type { CellDiagnostic } from "./cell-diagnostic.js";

export interface HostAnswer {
  readonly what: string;
  readonly cure: string;
}

/** "Cannot find name", alone and with a guess. */
const UNKNOWN_NAMES: ReadonlySet<number> = new Set([2304, 2552, 2503]);
const NOT_CALLABLE = 2349;
const WRONG_COUNT = 2554;

/** @param all the complaints about the cell, in which a message's details follow it */
export function hostAnswer(
  diagnostic: CellDiagnostic,
  all: readonly CellDiagnostic[],
  exported: readonly string[],
): HostAnswer | null {
  const { code, messageText, start } = diagnostic;
  if (UNKNOWN_NAMES.has(code)) {
    const name = /'([^']+)'/.exec(messageText)?.[1] ?? "";
    return { what: `There is no ${name} in the cells that have run.`, cure: unknownNameCure(name, exported) };
  }
  const whole = all.filter((each) => each.start.offset === start.offset).map((each) => each.messageText);
  if (code === NOT_CALLABLE && whole.some((text) => text.includes("'Kernel<"))) {
    const cure = "Write gpu.launch(kernel, { grid: 1, block: 256 }, { ...arguments by name }).";
    return { what: "A kernel is not called; it is launched.", cure };
  }
  if (code === WRONG_COUNT && messageText.startsWith("Expected 3 arguments, but got")) {
    const cure = "For a launch write gpu.launch(kernel, { grid, block }, { input, output }).";
    return { what: messageText, cure };
  }
  const array = /^Type '([^']+)' is not assignable to type 'LaunchArgument'/.exec(messageText)?.[1];
  if (array !== undefined && /\[\]$|Array/.test(array)) {
    const cure = "Copy it to the GPU and give the buffer: { input: gpu.upload(values) }.";
    return { what: `A kernel takes an array of the GPU's memory; ${array} is one of the host's.`, cure };
  }
  return null;
}
