/**
 * Read-modify-writes by volatile accesses. Each of the two accesses is whole, but another thread's write may come between them,
 * and is lost. A wait for a value is none: it goes on when the value is there.
 */
import type { Version, Versions } from "./access-history.js";
import type { Code } from "./races.js";

/** The values of a word that a thread knows of, and its volatile load since its own last write there. */
interface Knowledge {
  /** The last value that is certain to come before the thread's next access. */
  readonly known: number;
  readonly read: LastRead | null;
}

interface LastRead {
  readonly code: Code;
  /** One more than the number of the last value when the thread read. */
  readonly end: number;
  readonly epoch: number;
  /** Strong writes of the thread until then. */
  readonly writes: number;
}

/** A thread at an access of a word. */
export interface Accessing {
  readonly code: Code;
  readonly block: number;
  readonly thread: number;
  readonly epoch: number;
  readonly value: number;
  readonly versions: Versions;
  readonly isOrdered: (record: Int32Array) => boolean;
  readonly inWarp: (record: Int32Array) => boolean;
}

/** Another thread's value that comes between a load and its store, or an update that this write comes between. */
export interface LostUpdate {
  readonly version: Version;
  /** The load of the thread, where it has read too late to know; null for the store. */
  readonly read: Code | null;
}

export class LostUpdates {
  private readonly threads: WeakMap<Versions, Map<number, Knowledge>> = new WeakMap();
  private readonly writes: Map<number, number> = new Map();

  private knowledge(versions: Versions): Map<number, Knowledge> {
    const known = this.threads.get(versions) ?? new Map<number, Knowledge>();
    this.threads.set(versions, known);
    return known;
  }

  /** A volatile load. */
  read({ code, block, thread, epoch, value, versions, isOrdered }: Accessing): void {
    const key = block * 1024 + thread;
    const threads = this.knowledge(versions);
    let known = Math.max(threads.get(key)?.known ?? versions.first, lastOrdered(versions, isOrdered));
    // The wait shows that the first such value is there, not that a later one is.
    if (code.waits) while (known < versions.end - 1 && versions.at(known)?.value !== value) known++;
    const read = { code, end: versions.end, epoch, writes: this.writes.get(key) ?? 0 };
    threads.set(key, { known, read });
  }

  /** A volatile or an atomic store. */
  write(
    { code, block, thread, epoch, value, versions, isOrdered, inWarp }: Accessing,
    record: Int32Array,
  ): LostUpdate | null {
    const key = block * 1024 + thread;
    const threads = this.knowledge(versions);
    const { known = versions.first, read = null } = threads.get(key) ?? {};
    const writes = this.writes.get(key) ?? 0;
    this.writes.set(key, writes + 1);
    const updates = read !== null && !code.atomic && updated(read, code, writes);
    let lost: LostUpdate | null = null;
    for (let number = versions.end - 1; number > known && lost === null; number--) {
      const version = versions.at(number);
      if (version === undefined) break;
      if (version.record === null || version.value === value || inWarp(version.record)) continue;
      const early = updates && number < read.end && read.epoch === epoch;
      if (!updates && !version.update) continue;
      if (early || !isOrdered(version.record)) lost = { version, read: early ? read.code : null };
    }
    versions.add({ value, record, update: updates && !read.code.waits });
    threads.set(key, { known: versions.end - 1, read: null });
    return lost;
  }
}

/** Whether a store depends on what the thread has read there: it updates it, or has waited for it. */
function updated(read: LastRead, { update }: Code, writes: number): boolean {
  if (read.code.waits) return read.writes === writes;
  return update !== null && read.code.update === update;
}

function lastOrdered(versions: Versions, isOrdered: (record: Int32Array) => boolean): number {
  for (let number = versions.end - 1; number > versions.first; number--) {
    const record = versions.at(number)?.record ?? null;
    if (record === null || isOrdered(record)) return number;
  }
  return versions.first;
}
