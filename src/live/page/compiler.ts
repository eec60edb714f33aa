/** The compiler of CUDA C++: loaded when a cell first asks for it, and kept by the browser. */
import { COMPILER_LIST, type CompilerList, siteName } from "../../core/program/clang-run.js";
import type { CompilerParts } from "../messages.js";

const CACHE = "warplab-compiler";

/** What stands before the text of a kernel in CUDA C++. */
export const CUDA_TAG: RegExp = /\bcuda\s*$/;

/** Whether a cell's text has kernels in CUDA C++. */
export function namesCuda(text: string): boolean {
  return /\bcuda\s*`/.test(text);
}

/** The browser's store for the site; null where it gives none. */
async function store(): Promise<Cache | null> {
  return (await globalThis.caches?.open(CACHE).catch(() => null)) ?? null;
}

const NO_CONNECTION =
  "it could not be loaded: the connection is lost, or there is none. What has been loaded of it is kept.";
const NOT_ON_SITE = "this site was written without it.";

export class CompilerLoad {
  readonly #address: string;
  readonly #tell: (done: number, all: number) => void;
  readonly #stop = new AbortController();

  /**
   * @param folder address of the scripts' folder
   * @param tell hears the bytes that are there, and those of the whole
   */
  constructor(folder: string, tell: (done: number, all: number) => void) {
    this.#address = new URL("../clang/", folder).href;
    this.#tell = tell;
  }

  stop(): void {
    this.#stop.abort();
  }

  /** @returns the parts, or the reason why they cannot be had. Never rejects. */
  async parts(): Promise<CompilerParts | string> {
    try {
      const { signal } = this.#stop;
      const answer = await fetch(`${this.#address}${COMPILER_LIST}`, { signal });
      if (!answer.ok) return NOT_ON_SITE;
      return await this.#load((await answer.json()) as CompilerList);
    } catch (problem) {
      return problem instanceof TypeError ? NO_CONNECTION : (problem as Error).message;
    }
  }

  async #load({ folder, packed, files }: CompilerList): Promise<CompilerParts> {
    const kept = await store();
    const here = `${this.#address}${folder}/`;
    for (const { url } of (await kept?.keys()) ?? []) {
      if (url.startsWith(this.#address) && !url.startsWith(here)) await kept?.delete(url);
    }
    const all = Object.values(files).reduce((sum, bytes) => sum + bytes, 0);
    let done = 0;
    const add = (bytes: number): void => {
      done += bytes;
      this.#tell(done, all);
    };
    const found: Record<string, Blob> = {};
    for (const [name, bytes] of Object.entries(files)) {
      const address = here + siteName(name, { packed });
      const before = await kept?.match(address);
      const file = before === undefined ? await this.#fetched(address, bytes, add) : await before.blob();
      if (before === undefined) {
        // A full store keeps nothing: it is loaded again at the next visit.
        await kept?.put(address, new Response(file)).catch(() => {});
      } else add(bytes);
      found[name] = file;
    }
    return { packed, files: found };
  }

  async #fetched(address: string, bytes: number, add: (bytes: number) => void): Promise<Blob> {
    const answer = await fetch(address, { signal: this.#stop.signal });
    if (!answer.ok || answer.body === null) throw new Error(`${address} is not there (${answer.status}).`);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const reader = answer.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value as Uint8Array<ArrayBuffer>);
      add(part.value.length);
    }
    const file = new Blob(parts);
    if (file.size !== bytes) throw new Error(`${address} came with ${file.size} bytes of ${bytes}. Load it again.`);
    return file;
  }
}
