/** Names of the imported functions that compute an operation for one lane: the operation itself. */
import type { Meaning } from "../../../semantics/scalar.js";

/** Name of the imported function for an operation; `meaningOfImport` reads it back. */
export function importName({ op, type, sourceType, compare, combine }: Meaning): string {
  return `lane ${[op, type, sourceType ?? "", compare ?? "", combine ?? ""].join(" ")}`;
}

export function meaningOfImport(name: string): Meaning | null {
  const [kind, op, type, sourceType] = name.split(" ");
  if (kind !== "lane") return null;
  const meaning = { op, type } as Meaning;
  return sourceType === "" ? meaning : ({ ...meaning, sourceType } as Meaning);
}
