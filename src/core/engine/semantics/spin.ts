/**
 * ATOMS.CAST.SPIN, the compare-and-swap in the loop that adds floats and doubles to shared memory. Only the first
 * lane of each bank swaps. The others find another value than they expect and repeat the loop. Doubles go by half-warps,
 * each with pairs of banks of its own. Source: test/reference/h200/micro/spin.json. Lanes `stride` words apart take as many
 * iterations as lanes share a bank (floats 1 to 32, doubles 1 to 16). Each takes two cycles of the data stage, for doubles
 * two a half-warp.
 */
import type { Instruction } from "../../lower/program.js";

export const SPIN_WAVEFRONTS = 2;
export const HALF_WARP = 16;

export function spins({ op, spin }: Instruction): boolean {
  return op === "atom" && spin === true;
}

/** A bit for the banks of a lane's 4 or 8 bytes at `address` of shared memory. Later lanes with the same bit must wait. */
export function bankBit(address: number, lane: number, size: number, banks: number): number {
  if (size === 4) return 1 << ((address >>> 2) & (banks - 1));
  return 1 << (((address >>> 3) & (banks / 2 - 1)) | (lane & HALF_WARP));
}

/** Cycles of the data stage. */
export function spinWavefronts(mask: number, size: number): number {
  if (size === 4) return SPIN_WAVEFRONTS;
  const halves = ((mask & 0xffff) === 0 ? 0 : 1) + (mask >>> HALF_WARP === 0 ? 0 : 1);
  return SPIN_WAVEFRONTS * halves;
}

/** A word of shared memory and the half-warp that swaps it, as the trace lists them. */
export function spinPlace(address: number, lane: number): number {
  return ((address >>> 2) << 1) | (lane < HALF_WARP ? 0 : 1);
}

export function placeAddress(place: number): number {
  return (place >>> 1) << 2;
}

export function placeLane(place: number): number {
  return (place & 1) * HALF_WARP;
}
