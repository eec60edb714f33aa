/** The known name that was probably meant: the nearest by edit distance, where one is near. */

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function plainForm(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Null where nothing known is near. */
export function nearest(name: string, known: Iterable<string>): string | null {
  let best: string | null = null;
  // Short names are all near each other.
  let least = name.length < 3 ? 1 : Math.max(1, Math.floor(name.length / 4)) + 1;
  for (const candidate of known) {
    const far = plainForm(candidate) === plainForm(name) ? 0 : distance(name, candidate);
    if (far < least) {
      best = candidate;
      least = far;
    }
  }
  return best;
}
