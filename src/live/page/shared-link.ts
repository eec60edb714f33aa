/** The cells' text within a link, compressed: a link needs no server, and its text runs only when the reader says so. */
const MARK = "#code=";

/** Characters of the cells' texts at the most: a small link could hold more than the browser has memory for. */
const MOST_BYTES = 1_000_000;

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: GenericTransformStream,
): Promise<Uint8Array<ArrayBuffer>> {
  // The types of Node and of the browser name the stream's two sides differently.
  const piped = new Blob([bytes]).stream().pipeThrough(stream as never) as ReadableStream<Uint8Array<ArrayBuffer>>;
  const reader = piped.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    length += part.value.length;
    if (length > MOST_BYTES) {
      await reader.cancel();
      throw new Error("too long");
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** @returns the part of an address that holds the texts */
export async function linkOf(texts: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(texts));
  const packed = await through(bytes as Uint8Array<ArrayBuffer>, new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return MARK + letters.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/**
 * @param hash the part of the address behind its page
 * @returns the texts; null where the address holds none
 * @throws Error where they cannot be read
 */
export async function textsOf(hash: string): Promise<readonly string[] | null> {
  if (!hash.startsWith(MARK)) return null;
  try {
    const letters = atob(hash.slice(MARK.length).replace(/-/g, "+").replace(/_/g, "/"));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const bytes = await through(packed, new DecompressionStream("deflate-raw"));
    const texts: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (Array.isArray(texts) && texts.every((each) => typeof each === "string")) return texts;
  } catch {
    // Said below.
  }
  throw new Error("The link is broken: its text cannot be read. Ask for it again; a mail may have cut it.");
}
