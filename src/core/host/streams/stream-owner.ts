/** The part of a GPU that its streams and events need, and what these know of each other. */
import { type Shape, shape } from "../../base/shape.js";
import type { DeviceSpec } from "../../device/index.js";
import type { Kernel } from "../../frontend/index.js";
import type { LaunchConfig } from "../launch.js";
import type { LaunchArguments } from "../launch-arguments.js";
import type { LaunchResult } from "../launch-result.js";
import type { LaunchStepper, SteppingOptions } from "../stepping.js";
import type { DeviceTimeline } from "./device-timeline.js";
import type { EventKey, StreamKey } from "./stream-key.js";

export interface StreamOwner {
  readonly device: DeviceSpec;
  /** The stream of all work that names none. */
  readonly defaultStreamKey: StreamKey;
  readonly clock: DeviceTimeline;
  launchOn(stream: StreamKey, kernel: Kernel, config: LaunchConfig, args: LaunchArguments): LaunchResult;
  stepOn(
    stream: StreamKey,
    kernel: Kernel,
    config: LaunchConfig,
    args: LaunchArguments,
    options: SteppingOptions,
  ): LaunchStepper;
}

/** All that `gpu.stream()` and `gpu.event()` have made. */
export const streams: WeakSet<object> = new WeakSet();
export const events: WeakSet<object> = new WeakSet();

export const streamShape: Shape = shape("what gpu.stream() returns", (value) => streams.has(value as object));
export const eventShape: Shape = shape("what gpu.event() returns", (value) => events.has(value as object));

/** A stream as an event takes it. */
export interface StreamHandle {
  readonly key: StreamKey;
  readonly owner: StreamOwner;
  /** Throws where `call` cannot use it. */
  check(call: string, owner: object): void;
}

/** An event as a stream takes it. */
export interface EventHandle {
  readonly key: EventKey;
  readonly owner: StreamOwner;
  check(call: string, owner: object): void;
}
