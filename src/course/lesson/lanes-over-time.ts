/** One warp's way through a kernel: which lanes execute which line, in the order of time. */
import { InputError } from "../../core/base/errors.js";
import { checkArgument, checkOptions, type Fields, optional, string, whole } from "../../core/base/shape.js";
import { lanesText } from "../../core/engine/run-warning.js";
import type { Kernel } from "../../core/frontend/index.js";
import type { Gpu } from "../../core/host/gpu.js";
import { gpuShape } from "../../core/host/gpu.js";
import type { LaunchConfig } from "../../core/host/launch.js";
import type { LaunchArguments } from "../../core/host/launch-arguments.js";
import type { Figure } from "../../core/show/figures/figure.js";
import { type LaneKind, laneFigure } from "../../core/show/figures/lane-figure.js";

/** Instructions of one line that the same lanes executed without a break. */
export interface LineStretch {
  /** From 0, counted in the warp's instructions. */
  readonly firstInstruction: number;
  readonly instructions: number;
  /** From 1, in the kernel's text. */
  readonly line: number;
  readonly text: string;
  /** Lanes that the warp executes it for: bit i is lane i. */
  readonly activeMask: number;
  /** Those of them in which it has an effect: fewer where it is predicated. */
  readonly effectMask: number;
}

export interface LanesOverTimeOptions {
  /** Linear index of the block, and the warp in it; the first of both unless given. */
  readonly block?: number;
  readonly warp?: number;
  /** Only lines from this one on, from 1 in the kernel's text. */
  readonly fromLine?: number;
  readonly title?: string;
}

const MOST_ROWS = 40;
const WAITS = "waits";
const NO_EFFECT = "executes without effect (predicated)";

/** Steps one warp of a block to its end. The block works on the arrays that it is given. */
export function lineStretches(
  gpu: Gpu,
  kernel: Kernel,
  config: LaunchConfig,
  args: LaunchArguments,
  options: Pick<LanesOverTimeOptions, "block" | "warp"> = {},
): readonly LineStretch[] {
  checkArgument("lineStretches", "gpu", gpu, gpuShape);
  checkOptions<typeof options>("lineStretches", options, { block: optional(whole(0)), warp: optional(whole(0)) });
  const { block = 0, warp = 0 } = options;
  const walk = gpu.step(kernel, config, args, { block, warp });
  const stretches: LineStretch[] = [];
  for (let count = 0; ; count++) {
    const at = walk.position;
    if (at === null) return stretches;
    const { line } = at.span;
    const effectMask = at.instruction.op === "bra" ? at.activeMask : at.guardMask;
    const last = stretches.at(-1);
    if (last?.line === line && last.activeMask === at.activeMask && last.effectMask === effectMask) {
      stretches[stretches.length - 1] = { ...last, instructions: last.instructions + 1 };
    } else {
      const { activeMask } = at;
      stretches.push({ firstInstruction: count, instructions: 1, line, text: walk.sourceLine, activeMask, effectMask });
    }
    if (!walk.step()) return stretches;
  }
}

function label({ firstInstruction, instructions, text }: LineStretch): string {
  const last = firstInstruction + instructions - 1;
  return `${last === firstInstruction ? last : `${firstInstruction} to ${last}`}: ${text}`;
}

const LANES_OVER_TIME: Fields<LanesOverTimeOptions> = {
  block: optional(whole(0)),
  warp: optional(whole(0)),
  fromLine: optional(whole(1)),
  title: optional(string),
};

/**
 * Draws which lanes of a warp execute which line, one stretch of instructions under the other. Where a branch divides the warp
 * its sides stand one after the other, each with the lanes that take it.
 * @throws InputError for a kernel with more stretches than a picture can hold; what `gpu.step` throws.
 * @example
 * display(lanesOverTime(gpu, divided, { grid: 1, block: 32 }, { data }));
 */
export function lanesOverTime(
  gpu: Gpu,
  kernel: Kernel,
  config: LaunchConfig,
  args: LaunchArguments,
  options: LanesOverTimeOptions = {},
): Figure {
  checkArgument("lanesOverTime", "gpu", gpu, gpuShape);
  checkOptions("lanesOverTime", options, LANES_OVER_TIME);
  const { block = 0, warp = 0, fromLine = 1 } = options;
  const stretches = lineStretches(gpu, kernel, config, args, { block, warp }).filter(({ line }) => line >= fromLine);
  if (stretches.length === 0 || stretches.length > MOST_ROWS) {
    throw new InputError({
      what: `lanesOverTime: warp ${warp} of ${kernel.name} has ${stretches.length} stretches of lines to draw.`,
      cure: `Draw 1 to ${MOST_ROWS} of them: begin with another line by fromLine, or give loops fewer iterations.`,
    });
  }
  const masks = [...new Set(stretches.map(({ activeMask }) => activeMask))];
  const predicated = stretches.some(({ activeMask, effectMask }) => activeMask !== effectMask);
  const whole = predicated ? "executes" : "all lanes";
  const nameOf = (mask: number): string => (mask >>> 0 === 0xffffffff ? whole : lanesText(mask));
  const [first, ...others] = masks.map((mask): LaneKind => ({ name: nameOf(mask) }));
  const kinds = [
    ...(first === undefined ? [] : [first]),
    { name: WAITS },
    ...others,
    ...(predicated ? [{ name: NO_EFFECT, symbol: "circle-open" as const }] : []),
  ];
  return laneFigure({
    title: options.title ?? `${kernel.name}: who executes, over time`,
    subtitle: `warp ${warp} of block ${block}, ${gpu.device.name}; rows: numbers of the warp's instructions, and their line`,
    kinds,
    steps: stretches.map((stretch) => ({
      label: label(stretch),
      lanes: Array.from({ length: 32 }, (_, lane) => {
        if (((stretch.activeMask >>> lane) & 1) === 0) return WAITS;
        return ((stretch.effectMask >>> lane) & 1) === 0 ? NO_EFFECT : nameOf(stretch.activeMask);
      }),
    })),
  });
}
