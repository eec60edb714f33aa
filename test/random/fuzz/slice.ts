/**
 * One process of `npm run fuzz`: random kernels, one seed after the other, until the time is over. It tells its parent
 * how many kernels each compute capability has had, and each failure, cut down.
 */
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { compareEngines } from "../../core/engine-fast/both-engines.js";
import { launchOf } from "../../core/engine-fast/random-launch.js";
import { createRandom, randomProgram } from "../../core/engine-fast/random-program.js";
import { capabilitiesFrom, disagreement } from "../agreement.js";
import { type Capability, capabilityOf, nameOf } from "../capabilities.js";
import { failureOf } from "../property.js";
import { verifyEach } from "../verify-each.js";
import { leastOf, optionsOf, trialOf } from "./options.js";

/** What the parent asks for: seeds `first`, `first + step` ... */
export interface SliceTask {
  readonly first: number;
  readonly step: number;
  readonly minutes: number;
  readonly kernels: number | null;
  /** "all", or one. */
  readonly capability: string;
  /** Each kernel is also run with the first passes alone. */
  readonly verifyEach: boolean;
}

export type SliceMessage =
  | { readonly kind: "count"; readonly capability: string; readonly kernels: number }
  | { readonly kind: "failure"; readonly capability: string; readonly seed: number; readonly text: string };

const ASSEMBLER = "assembler";

/** A program of the engines' assembler in both engines; half of the seeds run lanes in lockstep. */
function assemblerFailure(seed: number): string | null {
  const random = createRandom(seed);
  const text = randomProgram(random, { faults: seed % 2 === 0, size: 10 + random.below(40) });
  const { differences } = compareEngines(text, launchOf(random), 0, fastEngine);
  return differences.length === 0 ? null : `seed ${seed}\n${differences.join("\n")}\n${text}`;
}

function kernelFailure(
  seed: number,
  least: Capability,
  capabilities: readonly Capability[],
  each: boolean,
): string | null {
  const options = optionsOf(seed, least);
  const { defined } = options;
  const one = capabilities.slice(seed % capabilities.length).slice(0, 1);
  return failureOf(
    {
      name: `both engines as the oracle, from ${nameOf(least)} on`,
      options,
      usual: 1,
      check: (tree) =>
        disagreement(tree, capabilities, defined, trialOf(seed)) ?? (each ? verifyEach(tree, one, defined) : null),
      explain: (tree) => verifyEach(tree, capabilities, defined),
    },
    seed,
  );
}

/** Asked for as JSON in the first argument; answers by messages to the parent process. */
export async function main([json]: readonly string[]): Promise<void> {
  const task = JSON.parse(json ?? "{}") as SliceTask;
  const asked = task.capability === "all" ? null : capabilityOf(task.capability);
  const send = (message: SliceMessage): Promise<void> =>
    new Promise((done) => {
      if (process.send === undefined) done();
      else process.send(message, () => done());
    });
  const report = async (capability: string, seed: number, text: string | null): Promise<void> => {
    if (text !== null) await send({ kind: "failure", capability, seed, text });
  };
  const end = Date.now() + task.minutes * 60_000;
  const mostSeeds = task.kernels ?? Number.POSITIVE_INFINITY;
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const tell = async (): Promise<void> => {
    for (const [capability, kernels] of counts) await send({ kind: "count", capability, kernels });
    counts.clear();
  };
  for (let seed = task.first; Date.now() < end && seed < task.first + mostSeeds * task.step; seed += task.step) {
    const least = asked ?? leastOf(seed);
    const capabilities = asked === null ? capabilitiesFrom(least) : [asked];
    await report(nameOf(least), seed, kernelFailure(seed, least, capabilities, task.verifyEach));
    for (const capability of capabilities) count(nameOf(capability));
    await report(ASSEMBLER, seed, assemblerFailure(seed));
    count(ASSEMBLER);
    if (((seed - task.first) / task.step) % 20 === 19) await tell();
  }
  await tell();
}
