/** One block that is being executed: its warps, and where its registers and memories stand. */
import type { PreparedLaunch } from "../engine.js";
import { coordinates } from "../faults.js";
import { garbageWord, PLACE } from "./garbage.js";
import { type MachineState, sharedWords, warpsPerBlock } from "./machine-state.js";
import { fillRow, type RegisterLayout } from "./register-layout.js";
import { Warp } from "./warp.js";
import { someChanged, type WatchedWord } from "./watched-words.js";

/** A block that has been woken so often in vain sleeps through 2 ** 10 - 1 changes. */
const MOST_IN_VAIN = 10;

export class BlockContext {
  readonly warps: readonly Warp[];
  /** Linear index of the block. */
  block = -1;
  /** Warp whose turn it is in the default schedule. */
  cursor = 0;
  /** For a block that can only wait: the words of global memory on which it depends, and memory's version. null: unknown. */
  private awaited: { readonly words: readonly WatchedWord[]; version: number } | null = null;
  /** How often in a row it has gone on and come to wait for the same, and how many further changes it sleeps through. */
  private inVain = 0;
  private sleeps = 0;
  readonly sharedBase: number;

  constructor(
    private machine: MachineState,
    readonly slot: number,
  ) {
    const { launch, layout } = machine;
    const count = warpsPerBlock(launch);
    const [x, y, z] = launch.block;
    const threads = x * y * z;
    this.sharedBase = slot * sharedWords(launch);
    this.warps = Array.from({ length: count }, (_, index) => {
      const lanes = Math.min(32, threads - index * 32);
      const base = (slot * count + index) * layout.wordsPerWarp;
      const warp = new Warp(index, base, lanes === 32 ? -1 : ((1 << lanes) - 1) | 0);
      fillConstants(machine, layout, launch, warp);
      return warp;
    });
  }

  /** Starts block `block` here: registers 0, memories 0 or the seed's garbage, all threads at the first instruction. */
  start(block: number): void {
    const { launch, layout, registers, shared, local, shadow, seed } = this.machine;
    this.block = block;
    this.cursor = 0;
    this.awaited = null;
    this.inVain = 0;
    this.sleeps = 0;
    launch.accesses?.blockStarts(block);
    const words = sharedWords(launch);
    if (seed === null) shared.i32.fill(0, this.sharedBase, this.sharedBase + words);
    else for (let k = 0; k < words; k++) shared.i32[this.sharedBase + k] = garbageWord(seed, block, PLACE.shared, k);
    const { slot, warps } = this;
    shadow?.startBlock(this.sharedBase, words, slot * warps.length, warps.length);
    local.startBlock(slot, block);
    const index = coordinates(block, launch.grid);
    for (const warp of this.warps) {
      registers.i32.fill(0, warp.base, warp.base + layout.clearedWords);
      for (const { offset, type, value } of layout.constants) {
        if (typeof value !== "object" || value.name !== "blockIdx") continue;
        fillRow(registers, warp.base + offset, type, index["xyz".indexOf(value.axis)] ?? 0);
      }
      warp.start();
    }
  }

  /** No warp of the block can go on. */
  fallAsleep(): void {
    const parked = this.warps.flatMap((warp) => warp.parked);
    const words = parked.flatMap(({ watched }) => watched ?? []).filter(({ shared }) => !shared);
    const before = this.awaited?.words;
    const same = before?.length === words.length && words.every(({ word }, k) => word === before[k]!.word);
    this.inVain = same ? Math.min(this.inVain + 1, MOST_IN_VAIN) : 0;
    this.sleeps = 2 ** this.inVain - 1;
    const known = parked.every(({ watched }) => watched !== null);
    this.awaited = known ? { words, version: this.machine.version } : null;
  }

  /** Something has changed for which the block waits. `patient`: one that was woken in vain lets some changes pass. */
  mayGoOn(machine: MachineState, patient: boolean = false): boolean {
    const { awaited } = this;
    if (awaited === null) return true;
    if (awaited.version === machine.version) return false;
    if (!someChanged(machine, awaited.words)) {
      awaited.version = machine.version;
      return false;
    }
    return !patient || this.sleeps-- <= 0;
  }

  /** Some lanes can go on, as a barrier of the grid has opened or only others had their turn. */
  wakeUp(): void {
    this.awaited = null;
  }

  /** The machine's memories have grown; what stood in this block's slot has been copied. */
  moveTo(machine: MachineState): void {
    this.machine = machine;
  }

  localBase(warp: Warp): number {
    return this.machine.local.start(this.slot, warp.index);
  }

  get firstThreadLives(): boolean {
    return ((this.warps[0]?.live ?? 0) & 1) !== 0;
  }

  get done(): boolean {
    for (const warp of this.warps) if (warp.live !== 0) return false;
    return true;
  }
}

/** Immediates, parameters and those special values that stay the same for every block. */
function fillConstants(machine: MachineState, layout: RegisterLayout, launch: PreparedLaunch, warp: Warp): void {
  const { registers } = machine;
  for (const { offset, type, value } of layout.constants) {
    const at = warp.base + offset;
    if (typeof value !== "object") fillRow(registers, at, type, value);
    else if (value.name === "laneId") for (let lane = 0; lane < 32; lane++) registers.i32[at + lane] = lane;
    else if (value.name === "threadIdx") {
      const axis = "xyz".indexOf(value.axis);
      for (let lane = 0; lane < 32; lane++) {
        registers.i32[at + lane] = coordinates(warp.index * 32 + lane, launch.block)[axis] ?? 0;
      }
    } else if (value.name === "blockDim" || value.name === "gridDim") {
      const extent = value.name === "blockDim" ? launch.block : launch.grid;
      fillRow(registers, at, type, extent["xyz".indexOf(value.axis)] ?? 1);
    }
  }
}
