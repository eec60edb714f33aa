/**
 * Queue of stores and atomics between L1 and the port, in order. A request leaves the memory unit as soon as the queue
 * has room, however long L2 delays its head. Loads that miss L1 use the same queue, so they wait after atomics that L2
 * cannot take (h200/micro/progress.json, behind).
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

  /**
   * Adds a request that takes the port for `cycles` and is sent at `sentAt`; returns the time at which there is room
   * for it.
   */
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
