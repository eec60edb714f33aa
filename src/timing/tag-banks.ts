/**
 * L1's tags lie in four banks, each of which looks at one line a cycle, so a request takes as many cycles as the fullest of them has of its
 * lines. Which bank a line is in are two parities of bits of its number, read from h200-lanes-micro.json, hit32: of all that ten bits
 * allow those that are nearest to 47 patterns of lanes (strides of 0 to 1024 words, words at random; 4 % in the mean, where the lines shared
 * out evenly are 9 % off: every 100th word takes 13.7 cycles, here 13, every 65th 8.3, here 8).
 */

const BANKS = 4;
const LINES = 1024;
const LOW_PARITY = 0x189;
const HIGH_PARITY = 0x22e;

function parity(bits: number): number {
  let odd = 0;
  for (let left = bits; left !== 0; left &= left - 1) odd ^= 1;
  return odd;
}

const BANK_OF: Uint8Array = Uint8Array.from(
  { length: LINES },
  (_, line) => parity(line & LOW_PARITY) + 2 * parity(line & HIGH_PARITY),
);

/** The lines of one request. */
export class TagBanks {
  private readonly lines = new Int32Array(BANKS);
  private readonly bankCycles: number;

  /** `hitLineInterval`: cycles a line where they are shared out evenly; as many as `lineInterval`, those of one that misses: one bank. */
  constructor(
    private readonly hitLineInterval: number,
    private readonly lineInterval: number,
  ) {
    this.bankCycles = BANKS * hitLineInterval;
  }

  clear(): void {
    this.lines.fill(0);
  }

  add(line: number): void {
    this.lines[BANK_OF[line & (LINES - 1)]!]!++;
  }

  /** That all of them take. */
  get cycles(): number {
    const { lines } = this;
    const [a, b, c, d] = [lines[0]!, lines[1]!, lines[2]!, lines[3]!];
    if (this.hitLineInterval >= this.lineInterval) return (a + b + c + d) * this.hitLineInterval;
    return Math.max(a, b, c, d) * this.bankCycles;
  }
}
