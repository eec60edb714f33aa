/**
 * Static shared arrays that are too large for any block of the GPU. ptxas refuses them at compile time, so the error
 * names the line of the largest array.
 */
import { LaunchError, type SourceText } from "../base/errors.js";
import type { DeviceSpec } from "../device/index.js";
import type { SharedArray } from "../ir/ir.js";
import { cudaName } from "../ir/types.js";
import type { Program } from "../lower/program.js";

/** Which text an array's span counts in: the first that has its name there. */
function sourceOf(program: Program, { name, span }: SharedArray): SourceText | undefined {
  return program.sources.find(({ text }) => text.split("\n")[span.line - 1]?.includes(name) === true);
}

/** Throws LaunchError at the largest static array where they are more than a block may have. */
export function checkStaticShared(device: DeviceSpec, program: Program): void {
  const limit = device.limits.sharedBytesPerBlock;
  if (program.staticSharedBytes <= limit) return;
  const arrays = program.shared.filter(({ sizeBytes }) => sizeBytes !== null);
  const [largest] = [...arrays].sort((a, b) => (b.sizeBytes ?? 0) - (a.sizeBytes ?? 0));
  const list = arrays
    .map(
      ({ array, sizeBytes }) =>
        `${cudaName(array.element)} ${array.name}[${(array.dims ?? []).join("][")}]: ${sizeBytes}`,
    )
    .join(", ");
  throw new LaunchError("cudaErrorInvalidValue", {
    what: `Kernel ${program.name} declares ${program.staticSharedBytes} bytes of static shared memory, but ${device.name} allows ${limit} a block (${list}).`,
    cure: "Make the arrays smaller, let each block do less, or use dynamic shared memory: externShared(type), with sharedBytes in the launch.",
    source: largest === undefined ? undefined : sourceOf(program, largest.array),
    span: largest?.array.span,
  });
}
