/**
 * Stores and atomics on their way from L1 to the port, in order: they leave the SM's memory unit as soon as there is room
 * for them, however long L2 makes the first of them wait. Loads that miss L1 stand in the same line, so behind atomics that
 * L2 cannot take it is they that wait (test/reference/h200/micro/progress.json, behind: loads from L2 wait for thousands of
 * cycles; loads from L1 and shared memory, and the next atomics, do not).
 */
import { FRACTION } from "../base/fraction.js";

/** More requests than fit: the shortest takes two cycles of the port. */
const ENTRIES = 1024;

export class PortQueue {
  private readonly workBefore = new Float64Array(ENTRIES);
  private readonly sentAt = new Float64Array(ENTRIES);
  private first = 0;
  private next = 0;
  private work: number = FRACTION;
  private roomSince = 0;

  /** `capacity`: cycles of the port that the requests in the queue may take. */
  constructor(private readonly capacity: number) {}

  /** Adds a request that takes the port for `cycles` and is sent at `sentAt`; when there is room for it. */
  enter(cycles: number, sentAt: number): number {
    this.workBefore[this.next % ENTRIES] = this.work;
    this.sentAt[this.next++ % ENTRIES] = sentAt;
    this.work += cycles;
    while (this.first < this.next - 1 && this.workBefore[this.first % ENTRIES]! < this.work - this.capacity) {
      this.roomSince = this.sentAt[this.first++ % ENTRIES]!;
    }
    return this.roomSince;
  }
}
