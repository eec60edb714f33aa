/** Numbers of 8 and 16 bits in the 32-bit words of memory, least significant byte first. */
import { byteSize, type Narrow } from "../../ir/types.js";

/** The bits from the lowest of the word to the lowest of the number at a byte address. */
function shiftOf(address: number): number {
  return (address & 3) << 3;
}

/** The number at a byte address of the word that holds it, as an i32 with its sign. */
export function narrowPart(word: number, address: number, type: Narrow): number {
  const above = 32 - 8 * byteSize(type);
  const highest = word << (above - shiftOf(address));
  return type === "i8" || type === "i16" ? highest >> above : highest >>> above;
}

/** The word with the low bits of `value` as the number at a byte address. */
export function withNarrowPart(word: number, address: number, type: Narrow, value: number): number {
  const shift = shiftOf(address);
  const bits = (2 ** (8 * byteSize(type)) - 1) << shift;
  return (word & ~bits) | ((value << shift) & bits);
}
