/**
 * L1's tags lie in four banks, each of which looks up one line a cycle. So a request takes as many cycles as the fullest
 * bank has of its lines. Two parities of bits of a line's number give its bank. Source: set conflicts of pairs of lines
 * in Nsight Compute (test/reference/h200/micro/stage.json, pair: all 195, of 18 bits).
 *
 * Missing data comes back in the same order, the lines of one cycle together. It comes in the parts of 128 bytes that lanes
 * of 4, 8 and 16 bytes make. Each part takes the data stage for as many cycles as a bank has words to give (ibid., miss: all 81
 * patterns of lanes). Data that is there as a whole is given out as shared memory would.
 */

export const TAG_BANKS = 4;
/** The bits of the line's number that change the bank by 1, and those that change it by 2. */
const LOW_PARITY = 0x37ab5;
const HIGH_PARITY = 0x2d5da;
const HALF_BITS = 9;
const HALF_MASK = (1 << HALF_BITS) - 1;

const LANES = 32;
const PART_BYTES = 128;
const LINE_SHIFT = 7;
const WORDS_OF_LINE = 31;

function parity(bits: number): number {
  let odd = 0;
  for (let left = bits; left !== 0; left &= left - 1) odd ^= 1;
  return odd;
}

function banksOf(shift: number): Uint8Array {
  return Uint8Array.from({ length: 1 << HALF_BITS }, (_, half) => {
    const line = half << shift;
    return parity(line & LOW_PARITY) + 2 * parity(line & HIGH_PARITY);
  });
}

const LOW_HALF = banksOf(0);
const HIGH_HALF = banksOf(HALF_BITS);

/** The bank of a line, by its number: byte address / 128. */
export function tagBankOf(line: number): number {
  return LOW_HALF[line & HALF_MASK]! ^ HIGH_HALF[(line >>> HALF_BITS) & HALF_MASK]!;
}

const lineOf = new Int32Array(LANES);
/** The cycle in which each of the lines is looked up, after the first. */
const lookedAt = new Int32Array(LANES);
const ofBank = new Int32Array(TAG_BANKS);
/** The banks that each line of the current part has words for. */
const words = new Int32Array(LANES);
/** The banks that at least so many of the lines of a cycle have words for. */
const one = new Int32Array(LANES);
const two = new Int32Array(LANES);
const three = new Int32Array(LANES);
const four = new Int32Array(LANES);

/**
 * Cycles of the data stage for a load that waits for its data. Each lane in `mask`, which is not 0, reads `size` bytes (4, 8
 * or 16) at `addresses[lane]` (bytes).
 */
export function returnedWavefronts(addresses: Int32Array, mask: number, size: number): number {
  let lines = 0;
  let cycles = 0;
  ofBank.fill(0);
  for (let m = mask; m !== 0; m &= m - 1) {
    const line = addresses[31 - Math.clz32(m & -m)]! >>> LINE_SHIFT;
    if (placeOf(line, lines) < lines) continue;
    lineOf[lines] = line;
    const at = ofBank[tagBankOf(line)]!++;
    lookedAt[lines++] = at;
    cycles = Math.max(cycles, at + 1);
  }
  const lanes = Math.min(LANES, PART_BYTES / size);
  let total = 0;
  for (let first = 0; first < LANES; first += lanes) {
    words.fill(0, 0, lines);
    for (let lane = first; lane < first + lanes; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const word = addresses[lane]! >>> 2;
      const bits = size > 4 ? (1 << (size >> 2)) - 1 : 1;
      words[placeOf(word >>> 5, lines)]! |= bits << (word & WORDS_OF_LINE);
    }
    total += partWavefronts(lines, cycles);
  }
  return total;
}

function placeOf(line: number, lines: number): number {
  let place = 0;
  while (place < lines && lineOf[place] !== line) place++;
  return place;
}

function partWavefronts(lines: number, cycles: number): number {
  one.fill(0, 0, cycles);
  two.fill(0, 0, cycles);
  three.fill(0, 0, cycles);
  four.fill(0, 0, cycles);
  for (let place = 0; place < lines; place++) {
    const at = lookedAt[place]!;
    const bits = words[place]!;
    four[at]! |= three[at]! & bits;
    three[at]! |= two[at]! & bits;
    two[at]! |= one[at]! & bits;
    one[at]! |= bits;
  }
  let total = 0;
  for (let at = 0; at < cycles; at++)
    total += four[at] !== 0 ? 4 : three[at] !== 0 ? 3 : two[at] !== 0 ? 2 : one[at] !== 0 ? 1 : 0;
  return total;
}
