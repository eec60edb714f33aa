/** Pairs of submissions whose kernels share more than a task makes alike: a hint to look, no verdict. */

export interface Printed {
  readonly student: string;
  /** From `fingerprintOf`. */
  readonly fingerprint: readonly string[];
}

export interface AlikePair {
  readonly students: readonly [string, string];
  /** Part of the larger kernel's own hashes that the other one has, too. */
  readonly share: number;
  /** Hashes that both have. */
  readonly common: number;
}

/** Fewer own hashes say nothing: that is a line or two. */
export const LEAST_OWN = 12;
/** From this share on a pair is shown; src/node/class/README.md says how often right answers come so close by chance. */
export const LEAST_SHARE = 0.75;
/** Hashes that more students have are the usual way to write it. */
function mostHolders(students: number): number {
  return Math.max(4, Math.ceil(students / 10));
}

/** Each fingerprint without what is given to all, and what many write. */
function ownHashes(prints: readonly Printed[], given: ReadonlySet<string>): readonly (readonly string[])[] {
  const holders = new Map<string, number>();
  for (const { fingerprint } of prints) for (const hash of fingerprint) holders.set(hash, (holders.get(hash) ?? 0) + 1);
  const most = mostHolders(prints.length);
  return prints.map(({ fingerprint }) =>
    fingerprint.filter((hash) => !given.has(hash) && (holders.get(hash) ?? 0) <= most),
  );
}

/**
 * @param prints one a student
 * @param given hashes of the starter and of the published solution
 * @returns the pairs from LEAST_SHARE on, the closest first
 */
export function alikePairs(prints: readonly Printed[], given: ReadonlySet<string>): readonly AlikePair[] {
  const own = ownHashes(prints, given);
  const byHash = new Map<string, number[]>();
  for (const [index, hashes] of own.entries()) {
    if (hashes.length < LEAST_OWN) continue;
    for (const hash of hashes) {
      const list = byHash.get(hash);
      if (list === undefined) byHash.set(hash, [index]);
      else list.push(index);
    }
  }
  const pairs: AlikePair[] = [];
  // One row of the table of all pairs at a time: a class of thousands has millions.
  const common = new Int32Array(prints.length);
  for (const [first, hashes] of own.entries()) {
    common.fill(0);
    for (const hash of hashes) for (const other of byHash.get(hash) ?? []) common[other] = (common[other] ?? 0) + 1;
    for (let second = first + 1; second < prints.length; second++) {
      const [count, one, other] = [common[second] ?? 0, prints[first], prints[second]];
      const share = count / Math.max(hashes.length, own[second]?.length ?? 0);
      if (hashes.length < LEAST_OWN || one === undefined || other === undefined || !(share >= LEAST_SHARE)) continue;
      pairs.push({ students: [one.student, other.student], share, common: count });
    }
  }
  return pairs.sort(
    (a, b) => b.share - a.share || b.common - a.common || (a.students.join() < b.students.join() ? -1 : 1),
  );
}
