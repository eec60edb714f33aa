/** Whether two ranges of memory of one length hold the same bytes. They are compared by words where both begin at one. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  const words = (a.byteOffset | b.byteOffset) % 4 === 0 ? a.length >>> 2 : 0;
  const left = new Uint32Array(a.buffer, words === 0 ? 0 : a.byteOffset, words);
  const right = new Uint32Array(b.buffer, words === 0 ? 0 : b.byteOffset, words);
  for (let i = 0; i < words; i++) if (left[i] !== right[i]) return false;
  for (let i = 4 * words; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
