/** The tags of L1 (`engine/semantics/l1-tags.ts`): how long a request keeps them. */
import { TAG_BANKS, tagBankOf } from "../../engine/semantics/l1-tags.js";

/** The lines of one request. */
export class TagBanks {
  private readonly lines = new Int32Array(TAG_BANKS);
  private readonly bankCycles: number;

  /** `hitLineInterval`: cycles a line where they are shared out evenly; as many as `lineInterval`, those of one that misses: one bank. */
  constructor(
    private readonly hitLineInterval: number,
    private readonly lineInterval: number,
  ) {
    this.bankCycles = TAG_BANKS * hitLineInterval;
  }

  clear(): void {
    this.lines.fill(0);
  }

  add(line: number): void {
    this.lines[tagBankOf(line)]!++;
  }

  /** That all of them take. */
  get cycles(): number {
    const { lines } = this;
    const [a, b, c, d] = [lines[0]!, lines[1]!, lines[2]!, lines[3]!];
    if (this.hitLineInterval >= this.lineInterval) return (a + b + c + d) * this.hitLineInterval;
    return Math.max(a, b, c, d) * this.bankCycles;
  }
}
