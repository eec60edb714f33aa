/** The tags of L1 (`core/engine/semantics/l1-tags.ts`): how long a request occupies them. */
import { TAG_BANKS, tagBankOf } from "../../engine/semantics/l1-tags.js";

/** The lines of one request. */
export class TagBanks {
  private readonly lines = new Int32Array(TAG_BANKS);
  private readonly bankCycles: number;

  /**
   * `hitLineInterval`: cycles of a hit line if lines are spread evenly over the banks. If it equals `lineInterval`, the
   * cycles of a miss, there is one bank.
   */
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

  /** Cycles that all lines of the request take. */
  get cycles(): number {
    const { lines } = this;
    const [a, b, c, d] = [lines[0]!, lines[1]!, lines[2]!, lines[3]!];
    if (this.hitLineInterval >= this.lineInterval) return (a + b + c + d) * this.hitLineInterval;
    return Math.max(a, b, c, d) * this.bankCycles;
  }
}
