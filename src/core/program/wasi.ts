/**
 * WASI (preview 1) for a program: arguments, its folder's files, output, clocks, an end. What the program may not do ends
 * with an error of the system, which the C library hands on.
 */
import type { HostMemory } from "./host-memory.js";
import type { ProgramFiles } from "./program-files.js";

/** The program has called exit. */
export class ProgramExit {
  constructor(readonly code: number) {}
}

export interface WasiHost {
  readonly args: readonly string[];
  readonly files: ProgramFiles;
  readonly memory: HostMemory;
  /** 1 is stdout, 2 is stderr. */
  output(descriptor: number, bytes: Uint8Array): void;
  /** At most `count` bytes of stdin; none at its end. */
  input(count: number): Uint8Array;
  /** Nanoseconds: of the calendar, since the program's start, of the processor. */
  clock(which: "real" | "monotonic" | "process"): bigint;
  /** The program waits. */
  sleep(nanoseconds: bigint): void;
}

const OK = 0;
const ACCESS = 2;
const BAD_DESCRIPTOR = 8;
const EXISTS = 20;
const INVALID = 28;
const IS_FOLDER = 31;
const NO_ENTRY = 44;
const NOT_SUPPORTED = 58;
const NOT_SEEKABLE = 70;

const FOLDER = 3;
const FOLDER_TYPE = 3;
const FILE_TYPE = 4;
const TERMINAL_TYPE = 2;
const CREATE = 1;
const EXCLUSIVE = 4;
const TRUNCATE = 8;
const APPEND = 1;
const MAY_WRITE = 1n << 6n;

interface OpenFile {
  readonly path: string;
  content: Uint8Array;
  length: number;
  at: number;
  readonly writes: boolean;
  readonly append: boolean;
  changed: boolean;
}

/** A path within the folder; null for one that leaves it. */
function inside(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return path.startsWith("/") ? null : parts.join("/");
}

export class Wasi {
  readonly #host: WasiHost;
  readonly #open: Map<number, OpenFile> = new Map();
  #next = FOLDER + 1;

  constructor(host: WasiHost) {
    this.#host = host;
  }

  /** Writes what is left in files that the program has not closed. */
  finish(): void {
    for (const file of this.#open.values()) this.#save(file);
    this.#open.clear();
  }

  /** The functions that a module imports. */
  imports(): Readonly<Record<string, (...given: never[]) => unknown>> {
    const { memory, args } = this.#host;
    const encoder = new TextEncoder();
    const texts = args.map((arg) => encoder.encode(`${arg}\0`));
    const strings = (list: readonly Uint8Array[]) => (pointers: number, buffer: number) => {
      let at = buffer;
      list.forEach((text, index) => {
        memory.setU32(pointers + 4 * index, at);
        memory.bytes(at, text.length).set(text);
        at += text.length;
      });
      return OK;
    };
    const sizes = (list: readonly Uint8Array[]) => (count: number, bytes: number) => {
      memory.setU32(count, list.length);
      memory.setU32(
        bytes,
        list.reduce((sum, text) => sum + text.length, 0),
      );
      return OK;
    };
    return {
      args_get: strings(texts),
      args_sizes_get: sizes(texts),
      environ_get: strings([]),
      environ_sizes_get: sizes([]),
      clock_res_get: (_id: number, at: number) => {
        memory.view.setBigUint64(at >>> 0, 1000n, true);
        return OK;
      },
      clock_time_get: (id: number, _precision: bigint, at: number) => {
        const which = id === 0 ? "real" : id === 1 ? "monotonic" : "process";
        memory.view.setBigUint64(at >>> 0, this.#host.clock(which), true);
        return OK;
      },
      fd_advise: () => OK,
      fd_allocate: () => NOT_SUPPORTED,
      fd_close: (fd: number) => this.#close(fd),
      fd_datasync: () => OK,
      fd_sync: () => OK,
      fd_fdstat_get: (fd: number, at: number) => this.#status(fd, at),
      fd_fdstat_set_flags: () => OK,
      fd_fdstat_set_rights: () => OK,
      fd_filestat_get: (fd: number, at: number) => this.#factsOfOpen(fd, at),
      fd_filestat_set_size: () => ACCESS,
      fd_filestat_set_times: () => ACCESS,
      fd_pread: () => NOT_SUPPORTED,
      fd_pwrite: () => NOT_SUPPORTED,
      fd_prestat_get: (fd: number, at: number) => {
        if (fd !== FOLDER) return BAD_DESCRIPTOR;
        memory.setU32(at, 0);
        memory.setU32(at + 4, 1);
        return OK;
      },
      fd_prestat_dir_name: (fd: number, at: number) => {
        if (fd !== FOLDER) return BAD_DESCRIPTOR;
        memory.bytes(at, 1)[0] = ".".charCodeAt(0);
        return OK;
      },
      fd_read: (fd: number, list: number, count: number, read: number) => this.#read(fd, list, count, read),
      fd_readdir: () => NOT_SUPPORTED,
      fd_renumber: () => NOT_SUPPORTED,
      fd_seek: (fd: number, by: bigint, from: number, at: number) => this.#seek(fd, by, from, at),
      fd_tell: (fd: number, at: number) => this.#seek(fd, 0n, 1, at),
      fd_write: (fd: number, list: number, count: number, written: number) => this.#write(fd, list, count, written),
      path_create_directory: () => ACCESS,
      path_filestat_get: (_fd: number, _flags: number, path: number, length: number, at: number) => {
        const name = this.#path(path, length);
        const facts = name === null ? null : this.#host.files.facts(name);
        if (facts === null) return NO_ENTRY;
        this.#writeFacts(at, facts.kind === "folder" ? FOLDER_TYPE : FILE_TYPE, facts.bytes);
        return OK;
      },
      path_filestat_set_times: () => ACCESS,
      path_link: () => ACCESS,
      path_open: (
        _fd: number,
        _lookup: number,
        path: number,
        length: number,
        how: number,
        rights: bigint,
        _inherited: bigint,
        flags: number,
        at: number,
      ) => this.#openPath(this.#path(path, length), how, (rights & MAY_WRITE) !== 0n, (flags & APPEND) !== 0, at),
      path_readlink: () => INVALID,
      path_remove_directory: () => ACCESS,
      path_rename: () => ACCESS,
      path_symlink: () => ACCESS,
      path_unlink_file: (_fd: number, path: number, length: number) => {
        const name = this.#path(path, length);
        return name !== null && this.#host.files.remove(name) ? OK : ACCESS;
      },
      poll_oneoff: (list: number, events: number, count: number, happened: number) =>
        this.#poll(list, events, count, happened),
      proc_exit: (code: number) => {
        throw new ProgramExit(code);
      },
      proc_raise: () => NOT_SUPPORTED,
      random_get: (at: number, count: number) => {
        // The same numbers in each run.
        const bytes = memory.bytes(at, count);
        for (let i = 0; i < count; i++) bytes[i] = (i * 167 + 13) & 255;
        return OK;
      },
      sched_yield: () => OK,
      sock_accept: () => NOT_SUPPORTED,
      sock_recv: () => NOT_SUPPORTED,
      sock_send: () => NOT_SUPPORTED,
      sock_shutdown: () => NOT_SUPPORTED,
    };
  }

  #path(address: number, length: number): string | null {
    return inside(new TextDecoder().decode(this.#host.memory.bytes(address, length).slice()));
  }

  #openPath(path: string | null, how: number, writes: boolean, append: boolean, at: number): number {
    const { files, memory } = this.#host;
    if (path === null) return ACCESS;
    const facts = files.facts(path);
    if (facts === null && (how & CREATE) === 0) return NO_ENTRY;
    if (facts !== null && (how & EXCLUSIVE) !== 0) return EXISTS;
    if (facts?.kind === "folder") return writes ? IS_FOLDER : NOT_SUPPORTED;
    const kept = facts === null || (how & TRUNCATE) !== 0 ? new Uint8Array() : files.read(path);
    if (kept === null) return NO_ENTRY;
    if (writes && !files.write(path, kept)) return ACCESS;
    this.#open.set(this.#next, { path, content: kept, length: kept.length, at: 0, writes, append, changed: false });
    memory.setU32(at, this.#next++);
    return OK;
  }

  #save(file: OpenFile): void {
    if (file.changed) this.#host.files.write(file.path, file.content.slice(0, file.length));
    file.changed = false;
  }

  #close(fd: number): number {
    const file = this.#open.get(fd);
    if (file === undefined) return fd <= FOLDER ? OK : BAD_DESCRIPTOR;
    this.#save(file);
    this.#open.delete(fd);
    return OK;
  }

  #status(fd: number, at: number): number {
    const { view } = this.#host.memory;
    if (fd > FOLDER && !this.#open.has(fd)) return BAD_DESCRIPTOR;
    const type = fd < FOLDER ? TERMINAL_TYPE : fd === FOLDER ? FOLDER_TYPE : FILE_TYPE;
    // Without the rights to seek and tell, the C library takes a stream for a terminal and writes it line by line.
    const seeks = (1n << 2n) | (1n << 5n);
    view.setUint8(at, type);
    view.setUint16(at + 2, 0, true);
    view.setBigUint64(at + 8, fd < FOLDER ? ~seeks & 0xffff_ffffn : 0xffff_ffffn, true);
    view.setBigUint64(at + 16, 0xffff_ffffn, true);
    return OK;
  }

  #factsOfOpen(fd: number, at: number): number {
    const file = this.#open.get(fd);
    if (file === undefined && fd > FOLDER) return BAD_DESCRIPTOR;
    const type = file !== undefined ? FILE_TYPE : fd === FOLDER ? FOLDER_TYPE : TERMINAL_TYPE;
    this.#writeFacts(at, type, file?.length ?? 0);
    return OK;
  }

  #writeFacts(at: number, type: number, bytes: number): void {
    const { view } = this.#host.memory;
    for (let i = 0; i < 8; i++) view.setBigUint64(at + 8 * i, 0n, true);
    view.setUint8(at + 16, type);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(bytes), true);
  }

  *#pieces(list: number, count: number): Generator<{ readonly address: number; readonly length: number }> {
    const { memory } = this.#host;
    for (let i = 0; i < count; i++) {
      yield { address: memory.u32(list + 8 * i), length: memory.u32(list + 8 * i + 4) };
    }
  }

  #read(fd: number, list: number, count: number, read: number): number {
    const { memory } = this.#host;
    const file = this.#open.get(fd);
    if (file === undefined && fd !== 0) return BAD_DESCRIPTOR;
    let sum = 0;
    for (const { address, length } of this.#pieces(list, count)) {
      const part =
        file === undefined
          ? this.#host.input(length)
          : file.content.subarray(file.at, Math.min(file.length, file.at + length));
      memory.bytes(address, part.length).set(part);
      if (file !== undefined) file.at += part.length;
      sum += part.length;
      if (part.length < length) break;
    }
    memory.setU32(read, sum);
    return OK;
  }

  #write(fd: number, list: number, count: number, written: number): number {
    const { memory } = this.#host;
    const file = this.#open.get(fd);
    if (fd !== 1 && fd !== 2 && file === undefined) return BAD_DESCRIPTOR;
    if (file !== undefined && !file.writes) return BAD_DESCRIPTOR;
    let sum = 0;
    for (const { address, length } of this.#pieces(list, count)) {
      const part = memory.bytes(address, length);
      if (file === undefined) this.#host.output(fd, part.slice());
      else append(file, part);
      sum += length;
    }
    memory.setU32(written, sum);
    return OK;
  }

  #seek(fd: number, by: bigint, from: number, at: number): number {
    const file = this.#open.get(fd);
    if (file === undefined) return fd <= 2 ? NOT_SEEKABLE : BAD_DESCRIPTOR;
    const base = from === 0 ? 0 : from === 1 ? file.at : file.length;
    const next = base + Number(by);
    if (next < 0) return INVALID;
    file.at = next;
    this.#host.memory.view.setBigUint64(at >>> 0, BigInt(next), true);
    return OK;
  }

  /** Only clocks are waited for. */
  #poll(list: number, events: number, count: number, happened: number): number {
    const { view } = this.#host.memory;
    let done = 0;
    for (let i = 0; i < count; i++) {
      const at = list + 48 * i;
      if (view.getUint8(at + 8) !== 0) continue;
      const time = view.getBigUint64(at + 24, true);
      const absolute = (view.getUint16(at + 40, true) & 1) !== 0;
      const which = view.getUint32(at + 16, true) === 0 ? "real" : "monotonic";
      this.#host.sleep(absolute ? time - this.#host.clock(which) : time);
      const event = events + 32 * done++;
      view.setBigUint64(event, view.getBigUint64(at, true), true);
      view.setUint16(event + 8, 0, true);
      view.setUint8(event + 10, 0);
    }
    view.setUint32(happened, done, true);
    return done === 0 ? NOT_SUPPORTED : OK;
  }
}

function append(file: OpenFile, part: Uint8Array): void {
  if (file.append) file.at = file.length;
  const end = file.at + part.length;
  if (end > file.content.length) {
    const wider = new Uint8Array(Math.max(end, 2 * file.content.length));
    wider.set(file.content.subarray(0, file.length));
    file.content = wider;
  }
  file.content.set(part, file.at);
  file.at = end;
  file.length = Math.max(file.length, end);
  file.changed = true;
}
