/** A class in parts that run on different machines: which attempts a part checks, and all parts' results as those of one run. */
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { InputError } from "../../core/base/errors.js";
import { resultKey } from "./class-run.js";
import { isBusy, keyText, type StoredResult, storedResults } from "./results-file.js";
import type { Attempt } from "./submissions/survey.js";

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

const MOST_SHARDS = 10_000;

/** @throws InputError for a text that is no "3/16" */
export function shardOf(text: string): Shard {
  const [, index = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count && count <= MOST_SHARDS) return { index, count };
  throw new InputError({ what: `--shard is ${text}.`, cure: "Give a part and their number, from 1/16 to 16/16." });
}

/** The folder of a shard's results. */
export function shardFolder(out: string, { index, count }: Shard): string {
  return join(out, `shard-${index}-of-${count}`);
}

/** The shard of each attempt, by its path: a roster does not change it. A student's attempts are spread, as neighbours take the same time. */
function shardByAttempt(attempts: readonly Attempt[], count: number): ReadonlyMap<Attempt, number> {
  const name = ({ path, exercise }: Attempt): string => `${path}\n${exercise ?? ""}`;
  const inOrder = [...attempts].sort((a, b) => (name(a) < name(b) ? -1 : 1));
  return new Map(inOrder.map((attempt, at) => [attempt, (at % count) + 1]));
}

export function attemptsOfShard(attempts: readonly Attempt[], { index, count }: Shard): readonly Attempt[] {
  const shards = shardByAttempt(attempts, count);
  return attempts.filter((attempt) => shards.get(attempt) === index);
}

/** The shards whose folders are there. @throws InputError where they are not all those of one division */
function shardsIn(out: string): readonly Shard[] {
  const found = (existsSync(out) ? readdirSync(out) : []).flatMap((name): readonly Shard[] => {
    const [, index, count] = (/^shard-(\d+)-of-(\d+)$/.exec(name) ?? []).map(Number);
    return index === undefined || count === undefined ? [] : [{ index, count }];
  });
  const counts = [...new Set(found.map(({ count }) => count))].sort((a, b) => a - b);
  const [count] = counts;
  if (count === undefined) {
    throw new InputError({ what: `${out} has no shards.`, cure: "Run --shard 1/4 to 4/4 into it first." });
  }
  if (counts.length > 1) {
    const what = `${out} has shards of divisions into ${counts.join(" and ")}.`;
    throw new InputError({ what, cure: "Remove the folders of one division." });
  }
  const all = Array.from({ length: count }, (_, at) => ({ index: at + 1, count }));
  const missing = all.filter((shard) => !found.some(({ index }) => index === shard.index));
  if (missing.length > 0) {
    const what = `${out} has no shard ${missing.map(({ index }) => index).join(", ")} of ${count}.`;
    throw new InputError({ what, cure: `Run --shard ${missing[0]?.index}/${count}.` });
  }
  return all;
}

type Stored = StoredResult & { readonly file: string; readonly line: number };

/** Why no shard has the result of an attempt. @param others results of its path and exercise */
function refuse({ path, sha256 }: Attempt, shard: Shard, others: readonly Stored[]): never {
  const cure = `Run --shard ${shard.index}/${shard.count} again with this version.`;
  const other = others.at(-1);
  if (other === undefined) {
    throw new InputError({ what: `Shard ${shard.index} of ${shard.count} has no result of ${path} yet.`, cure });
  }
  const why =
    other.sha256 === sha256
      ? "was graded by another version of the course, or drawn from another salt"
      : "is not the file any more that was graded";
  throw new InputError({ what: `Line ${other.line} of ${other.file}: ${path} ${why}.`, cure });
}

/**
 * The results of all shards, in the order of the attempts.
 * @throws InputError for shards that are missing, that run, or whose results are none of these files by this version
 */
export function shardResults(out: string, attempts: readonly Attempt[], salt: string): readonly StoredResult[] {
  const shards = shardsIn(out);
  const byKey = new Map<string, StoredResult>();
  const byPath = new Map<string, Stored[]>();
  for (const shard of shards) {
    const folder = shardFolder(out, shard);
    if (isBusy(folder)) throw new InputError({ what: `A run works in ${folder} just now.`, cure: "Wait for its end." });
    for (const { line, ...result } of storedResults(folder)) {
      byKey.set(keyText(result), result);
      const path = `${result.path}\n${result.exercise}`;
      const file = `${basename(folder)}/results.jsonl`;
      byPath.set(path, [...(byPath.get(path) ?? []), { ...result, file, line }]);
    }
  }
  const places = shardByAttempt(attempts, shards.length);
  return attempts.flatMap((attempt) => {
    const key = resultKey(attempt, salt);
    if (key === null) return [];
    const shard = { index: places.get(attempt) ?? 1, count: shards.length };
    const others = byPath.get(`${attempt.path}\n${attempt.exercise ?? ""}`) ?? [];
    return [byKey.get(keyText(key)) ?? refuse(attempt, shard, others)];
  });
}
