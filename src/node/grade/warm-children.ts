/** Processes that stay for the next request: a check in one that is warm takes a third of the time of a first one. */
import { LimitedChild, type Limits, type RunningChild, type Stopped } from "./limited-child.js";

/** Then a new one begins, without what has gathered in it. */
const MOST_REQUESTS = 40;

export class WarmChildren {
  private readonly idle: LimitedChild[] = [];

  /** @param program a compiled file, named from src on, that begins with `serveRequests` */
  constructor(private readonly program: string) {}

  private take(memoryBytes: number): LimitedChild {
    const at = this.idle.findIndex((child) => child.isOpen && child.memoryBytes === memoryBytes);
    return this.idle.splice(at, at < 0 ? 0 : 1)[0] ?? new LimitedChild(this.program, memoryBytes);
  }

  private putBack(child: LimitedChild): void {
    if (child.isOpen && child.asked < MOST_REQUESTS) this.idle.push(child);
    else child.close();
  }

  /** A request that meets a limit in a used process has another try in a new one: its predecessors are not to cost it points. */
  start(request: object, { timeMs, memoryBytes }: Limits): RunningChild {
    let child = this.take(memoryBytes);
    let cancelled = false;
    const ask = async (): Promise<string | Stopped> => {
      let result = await child.ask(request, timeMs);
      if (typeof result !== "string" && child.asked > 1 && !cancelled) {
        child = new LimitedChild(this.program, memoryBytes);
        result = await child.ask(request, timeMs);
      }
      this.putBack(child);
      return result;
    };
    const cancel = (): void => {
      cancelled = true;
      child.cancel();
    };
    return { output: ask(), cancel };
  }

  /** Ends those that wait. */
  close(): void {
    for (const child of this.idle.splice(0)) child.close();
  }
}
