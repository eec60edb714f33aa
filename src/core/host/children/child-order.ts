/** When child grids run, among the orders that CUDA allows. */
import type { ChildLaunch } from "../../engine/engine.js";
import { SeededRandom } from "../../engine/reference/index.js";
import type { LaunchSchedule } from "../launch-schedule.js";

/** Deeper grids run late in every order: a host runs an early one within its parent's run. */
const DEEPEST_EARLY = 24;

/** One launch in so many runs where it is started, in a seeded order. */
const EARLY_ONE_IN = 3;

/** One turn in so many runs a grid that has been started. */
const TURN_ONE_IN = 12;

/**
 * `late`: when the block waits for its children, or all blocks of the grid have run. `early`: where it is launched. With a seed: at
 * any time between, and in any order that the streams leave open.
 */
export class ChildOrder {
  readonly #early: boolean;
  readonly #random: SeededRandom | null;

  constructor(schedule: LaunchSchedule) {
    const asked = typeof schedule === "object" && "children" in schedule ? schedule.children : "late";
    this.#early = asked === "early";
    this.#random =
      typeof schedule === "object" && "seed" in schedule ? new SeededRandom(schedule.seed ^ 0x2545f491) : null;
  }

  /** Whether a grid at `depth`, which has just been launched, runs at once. */
  runsAtOnce(request: ChildLaunch, depth: number): boolean {
    if (request.stream === "tail" || depth > DEEPEST_EARLY) return false;
    return this.#early || (this.#random !== null && this.#random.below(EARLY_ONE_IN) === 0);
  }

  /** The launch of the queue whose turn comes between two steps of the grid; null for none. */
  turnOf(queue: readonly ChildLaunch[], depth: number): ChildLaunch | null {
    const random = this.#random;
    if (random === null || queue.length === 0 || depth > DEEPEST_EARLY || random.below(TURN_ONE_IN) !== 0) return null;
    const chosen = queue[random.below(queue.length)];
    return chosen === undefined || chosen.stream === "tail" ? null : chosen;
  }

  /** The order of launches that nothing but their streams orders. Tail launches come last. */
  arranged(requests: readonly ChildLaunch[]): readonly ChildLaunch[] {
    const tail = requests.filter(({ stream }) => stream === "tail");
    const others = requests.filter(({ stream }) => stream !== "tail");
    return [...(this.#random === null ? others : shuffled(others, this.#random)), ...tail];
  }
}

/** At random, but those of one block's stream stay in their order. */
function shuffled(requests: readonly ChildLaunch[], random: SeededRandom): readonly ChildLaunch[] {
  const places = requests.map((_, place) => place);
  random.shuffle(places);
  const byBlock = new Map<number, number[]>();
  for (const [index, { stream, parentBlock }] of requests.entries()) {
    if (stream !== "block") continue;
    const own = byBlock.get(parentBlock) ?? [];
    byBlock.set(parentBlock, own);
    own.push(index);
  }
  for (const own of byBlock.values()) {
    const sorted = own.map((index) => places[index]!).sort((a, b) => a - b);
    for (const [k, index] of own.entries()) places[index] = sorted[k]!;
  }
  const order = new Array<ChildLaunch>(requests.length);
  for (const [index, request] of requests.entries()) order[places[index]!] = request;
  return order;
}
