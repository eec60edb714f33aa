/**
 * Before each test file, in each process that runs them: the process ends with vitest, also where a test never does, and
 * no name of an earlier file's kernels has a meaning in this one's. Arrays of the same bytes are equal at a glance.
 */

import { expect } from "vitest";
import { forgetDefinitions } from "../../src/core/frontend/declare/definitions.js";
import "../../src/node/files-on-disk.js";
import "../../src/node/platform.js";
import { endWithParent } from "../../src/node/parent-watch.js";

/** Of arrays that are equal; all others are for vitest, which takes a microsecond an element. */
function ofSameBytes(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return undefined;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b) || a.byteLength !== b.byteLength) return undefined;
  const [x, y] = [a, b].map((each) => Buffer.from(each.buffer, each.byteOffset, each.byteLength));
  return x!.equals(y!) ? true : undefined;
}

const process = globalThis as { isWatched?: boolean };
if (process.isWatched !== true) {
  process.isWatched = true;
  expect.addEqualityTesters([ofSameBytes]);
  endWithParent();
}
forgetDefinitions();
