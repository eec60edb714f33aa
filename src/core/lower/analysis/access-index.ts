/**
 * A set of memory accesses from which those that may meet another one are found without a look at each. Accesses with
 * one base meet if their offsets do; with another base they may always.
 */
import type { Root } from "../program.js";
import type { Value } from "../ssa/ssa.js";

export interface Access {
  readonly base: Value;
  readonly root: Root;
  readonly offset: number;
  readonly size: number;
}

/** True for shared arrays that start at the one dynamic address. */
export type DynamicShared = (array: number) => boolean;

/** Bytes of offsets that are kept together; no access of one instruction is longer. */
const PLACE_BYTES = 64;

/** By place; the lists are never changed. */
type Places<T> = Map<number, readonly T[]>;

export class AccessIndex<T extends Access> {
  /** By memory that may alias, then by base. */
  #groups: Map<string, Map<number, Places<T>>> = new Map();
  /** The maps that no copy shares. */
  #own: WeakSet<object> = new WeakSet([this.#groups]);

  constructor(private readonly dynamicShared: DynamicShared) {}

  copy(): AccessIndex<T> {
    const copy = new AccessIndex<T>(this.dynamicShared);
    copy.#groups = this.#groups;
    copy.#own = new WeakSet();
    this.#own = new WeakSet();
    return copy;
  }

  clear(): void {
    this.#groups = new Map();
    this.#own = new WeakSet([this.#groups]);
  }

  /** Those with the access's base that overlap it. */
  near(access: Access): readonly T[] {
    const places = this.#groups.get(this.#groupOf(access.root))?.get(access.base.id);
    if (places === undefined) return [];
    const found: T[] = [];
    for (let place = firstPlace(access); place <= lastPlace(access); place++) {
      for (const item of places.get(place) ?? []) if (overlaps(item, access)) found.push(item);
    }
    return found;
  }

  /** `instead`: drops those of the same place that it names. */
  add(item: T, instead: (other: T) => boolean = () => false): void {
    const places = this.#placesOf(item);
    const at = placeOf(item.offset);
    const list = (places.get(at) ?? []).filter((other) => !instead(other));
    places.set(at, [...list, item]);
  }

  delete(item: T): void {
    const places = this.#placesOf(item);
    const at = placeOf(item.offset);
    const list = (places.get(at) ?? []).filter((other) => other !== item);
    if (list.length === 0) places.delete(at);
    else places.set(at, list);
  }

  /** Drops all that `access` may meet. */
  dropMeeting(access: Access): void {
    const key = this.#groupOf(access.root);
    const bases = this.#groups.get(key);
    if (bases === undefined) return;
    const same = bases.get(access.base.id);
    if (bases.size > (same === undefined ? 0 : 1)) {
      const left = new Map(same === undefined ? [] : [[access.base.id, same]]);
      this.#own.add(left);
      this.#ownGroups().set(key, left);
    }
    for (const item of this.near(access)) this.delete(item);
  }

  /** Drops all that is not in local memory. */
  dropShown(): void {
    const groups = this.#ownGroups();
    for (const key of groups.keys()) if (!key.startsWith("local")) groups.delete(key);
  }

  #groupOf(root: Root): string {
    if (root.kind === "param") return "global";
    if (root.kind === "shared" && this.dynamicShared(root.array)) return "shared";
    return `${root.kind} ${root.array}`;
  }

  #ownGroups(): Map<string, Map<number, Places<T>>> {
    if (!this.#own.has(this.#groups)) {
      this.#groups = new Map(this.#groups);
      this.#own.add(this.#groups);
    }
    return this.#groups;
  }

  #placesOf({ root, base }: Access): Places<T> {
    const groups = this.#ownGroups();
    const key = this.#groupOf(root);
    let bases = groups.get(key);
    if (bases === undefined || !this.#own.has(bases)) {
      bases = new Map(bases);
      this.#own.add(bases);
      groups.set(key, bases);
    }
    let places = bases.get(base.id);
    if (places === undefined || !this.#own.has(places)) {
      places = new Map(places);
      this.#own.add(places);
      bases.set(base.id, places);
    }
    return places;
  }
}

function placeOf(offset: number): number {
  return Math.floor(offset / PLACE_BYTES);
}

/** An access that starts in the place before may reach into this one. */
function firstPlace({ offset }: Access): number {
  return placeOf(offset) - 1;
}

function lastPlace({ offset, size }: Access): number {
  return placeOf(offset + size - 1);
}

export function overlaps(a: Access, b: Access): boolean {
  return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}
