/** Several watches of one launch's accesses as one. */
import type { AccessWatch, ChildLaunch, PreparedLaunch, WarpAccess } from "../engine/engine.js";

class JoinedWatch implements AccessWatch {
  constructor(private readonly parts: readonly AccessWatch[]) {}

  blockStarts(block: number): void {
    for (const part of this.parts) part.blockStarts(block);
  }
  blockEnds(block: number): void {
    for (const part of this.parts) part.blockEnds(block);
  }
  access(access: WarpAccess): void {
    for (const part of this.parts) part.access(access);
  }
  barrier(block: number): void {
    for (const part of this.parts) part.barrier(block);
  }
  gridBarrier(): void {
    for (const part of this.parts) part.gridBarrier();
  }
  syncwarp(block: number, warp: number, lanes: number): void {
    for (const part of this.parts) part.syncwarp(block, warp, lanes);
  }
  fence(block: number, warp: number, lanes: number, device: boolean): void {
    for (const part of this.parts) part.fence(block, warp, lanes, device);
  }
  childStarts(request: ChildLaunch): void {
    for (const part of this.parts) part.childStarts(request);
  }
  childrenEnded(block: number, warp: number, lanes: number): void {
    for (const part of this.parts) part.childrenEnded(block, warp, lanes);
  }
  child(launch: PreparedLaunch, request: ChildLaunch): AccessWatch {
    return new JoinedWatch(this.parts.map((part) => part.child(launch, request)));
  }
}

/** null for none. */
export function joined(parts: readonly AccessWatch[]): AccessWatch | null {
  const [only] = parts;
  if (only === undefined) return null;
  return parts.length === 1 ? only : new JoinedWatch(parts);
}
