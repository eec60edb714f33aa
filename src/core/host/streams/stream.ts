/** A queue of work for the GPU: in order within, and beside other streams as far as the GPU has room. */
import { InputError } from "../../base/errors.js";
import { checkArgument } from "../../base/shape.js";
import type { Kernel } from "../../frontend/index.js";
import type { ElementType } from "../../ir/types.js";
import { note } from "../activity.js";
import { type ArrayOf, bufferShape, type DeviceBuffer } from "../buffer.js";
import type { LaunchConfig } from "../launch.js";
import type { LaunchArguments } from "../launch-arguments.js";
import type { LaunchResult } from "../launch-result.js";
import type { LaunchStepper, SteppingOptions } from "../stepping.js";
import { anyBuffer, PitchedBuffer } from "./pitched-buffer.js";
import type { StreamKey } from "./stream-key.js";
import { type EventHandle, eventShape, type StreamHandle, type StreamOwner, streams } from "./stream-owner.js";

export interface StreamOptions {
  /** cudaStreamNonBlocking: the legacy default stream neither waits for it, nor it for that. Default false. */
  readonly nonBlocking?: boolean;
  /** Shown in traces and figures; "stream 1" and so on unless given. */
  readonly name?: string;
}

/**
 * cudaStream_t, made by `gpu.stream()`. Memory changes at once, in the order of the calls, which is an order that CUDA allows.
 * Times are predicted later, with the overlap that the streams have on the GPU.
 * @example
 * const pinned = gpu.hostAlloc(f32, n);
 * const stream = gpu.stream();
 * stream.write(data, pinned).launch(scale, { grid, block }, { data, n });
 * stream.read(data, pinned);
 * stream.synchronize();
 */
export class Stream implements StreamHandle {
  readonly key: StreamKey;
  readonly #owner: StreamOwner;
  #destroyed = false;

  constructor(owner: StreamOwner, key: StreamKey) {
    this.#owner = owner;
    this.key = key;
    streams.add(this);
  }

  get owner(): StreamOwner {
    return this.#owner;
  }

  get name(): string {
    return this.key.name;
  }

  /** Refuses a stream that was destroyed, or one of another GPU. */
  check(call: string, owner: object): void {
    if (this.#destroyed) {
      throw new InputError({
        what: `cudaErrorInvalidResourceHandle: ${call} was given ${this.name}, which was destroyed.`,
        cure: "Destroy a stream after its last use, or make another one: gpu.stream().",
      });
    }
    if (owner !== this.#owner) {
      throw new InputError({
        what: `cudaErrorInvalidResourceHandle: ${call}: ${this.name} belongs to another GPU.`,
        cure: "Use a stream of the GPU that has the buffer or event: gpu.stream().",
      });
    }
  }

  /** Hands over a launch (the fourth value between CUDA's chevrons). */
  launch(kernel: Kernel, config: LaunchConfig, args: LaunchArguments): LaunchResult {
    this.check("stream.launch", this.#owner);
    return this.#owner.launchOn(this.key, kernel, config, args);
  }

  /**
   * `gpu.step` for a launch of this stream. Memory has all that was handed over before, so the block finds the stream's values.
   * @example
   * const stepper = stream.step(scale, { grid, block }, { data, n }, { block: 2 });
   */
  step(kernel: Kernel, config: LaunchConfig, args: LaunchArguments, options: SteppingOptions = {}): LaunchStepper {
    this.check("stream.step", this.#owner);
    return this.#owner.stepOn(this.key, kernel, config, args, options);
  }

  /**
   * Copies `data` to the device, from scalar `offset` on (cudaMemcpyAsync). The host goes on at once if `data` comes from
   * `gpu.hostAlloc`; for other arrays it waits for the end of the copy.
   */
  write<E extends ElementType>(buffer: DeviceBuffer<E> | PitchedBuffer<E>, data: ArrayOf<E>, offset: number = 0): this {
    checkArgument("stream.write", "buffer", buffer, anyBuffer);
    this.check("stream.write", buffer.owner);
    const how = { stream: this.key, async: true };
    if (buffer instanceof PitchedBuffer) buffer.copyIn(data, how);
    else buffer.copyIn(data, offset, how);
    return this;
  }

  /**
   * Copies a buffer to the host (cudaMemcpyAsync). Into an array of `gpu.hostAlloc` the host does not wait: call
   * `stream.synchronize()` before it reads there. Without one, a new array is made, and the host waits for the copy.
   */
  read<E extends ElementType>(buffer: DeviceBuffer<E> | PitchedBuffer<E>, into?: ArrayOf<E>): ArrayOf<E> {
    checkArgument("stream.read", "buffer", buffer, anyBuffer);
    this.check("stream.read", buffer.owner);
    return buffer.copyOut({ stream: this.key, async: true }, into);
  }

  /** Sets every scalar of a buffer (an element-wise cudaMemsetAsync). */
  fill(buffer: DeviceBuffer, value: number | bigint): this {
    checkArgument("stream.fill", "buffer", buffer, bufferShape);
    this.check("stream.fill", buffer.owner);
    buffer.set(value, { stream: this.key, async: true });
    return this;
  }

  /** Copies all of `source` to the start of `target`, both on this GPU (cudaMemcpyDeviceToDevice). */
  copy<E extends ElementType>(target: DeviceBuffer<E>, source: DeviceBuffer<E>): this {
    this.#copy("stream.copy", target, source, true);
    return this;
  }

  /** `copy` as cudaMemcpy. The host does not wait for it either. */
  copyNow<E extends ElementType>(target: DeviceBuffer<E>, source: DeviceBuffer<E>): void {
    this.#copy("gpu.copy", target, source, false);
  }

  #copy<E extends ElementType>(call: string, target: DeviceBuffer<E>, source: DeviceBuffer<E>, async: boolean): void {
    checkArgument(call, "target", target, bufferShape);
    checkArgument(call, "source", source, bufferShape);
    this.check(call, target.owner);
    this.check(call, source.owner);
    target.copyFrom(source, { stream: this.key, async });
  }

  /**
   * Work handed over from now on waits for the event's last record (cudaStreamWaitEvent). The host does not wait. An event
   * that was never recorded holds nothing up, as in CUDA.
   */
  wait(event: EventHandle): this {
    checkArgument("stream.wait", "event", event, eventShape);
    event.check("stream.wait", this.#owner);
    this.check("stream.wait", event.owner);
    note({ kind: "stream-wait", owner: this.#owner, event: event.key, stream: this.key });
    return this;
  }

  /** The host waits for all work of the stream (cudaStreamSynchronize). */
  synchronize(): this {
    this.check("stream.synchronize", this.#owner);
    const { device } = this.#owner;
    note({ kind: "synchronize", owner: this.#owner, device, what: "stream", target: this.key });
    return this;
  }

  /** Whether all work of the stream has ended by the host's present time (cudaStreamQuery). Predicted. */
  get idle(): boolean {
    this.check("stream.idle", this.#owner);
    const ready = this.#owner.clock.isIdle(this.key);
    note({ kind: "query", owner: this.#owner, target: this.key, what: "stream", ready });
    return ready;
  }

  /** cudaStreamDestroy: returns at once; work that was handed over still runs. */
  destroy(): void {
    this.check("stream.destroy", this.#owner);
    if (this.key.number === 0) {
      throw new InputError({
        what: "cudaErrorInvalidResourceHandle: the default stream cannot be destroyed.",
        cure: "Destroy streams of gpu.stream() alone.",
      });
    }
    this.#destroyed = true;
    note({ kind: "stream-destroy", owner: this.#owner, stream: this.key });
  }
}
