import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { h200Corpus } from "../../../src/tools/accuracy/h200-corpus.js";
import { readReference } from "../../../src/tools/accuracy/measured-table.js";
import { measuredKernels } from "./probe-kernels.js";

const filesOf = (folder: string): readonly string[] =>
  readdirSync(new URL(`../../reference/${folder}`, import.meta.url)).map((file) => `${folder}/${file}`);

describe("the manifest of the launches on an H200", () => {
  const tables = h200Corpus();

  it("lists every text of kernels", () => {
    expect(tables.map(({ kernels }) => kernels).sort()).toEqual([...filesOf("h200/kernels")].sort());
  });

  it("lists every measured file but that of the labs, whose kernels are the course's", () => {
    const listed = [...tables.map(({ measured }) => measured), "h200/measured/labs.json"];
    expect(listed.sort()).toEqual([...filesOf("h200/measured")].sort());
  });

  it("has a kernel of that name in some text for every row", () => {
    const rows = tables.flatMap(
      ({ measured }) => (readReference(measured) as { readonly rows: readonly { readonly kernel: string }[] }).rows,
    );
    const unknown = rows.map(({ kernel }) => kernel).filter((kernel) => !measuredKernels.has(kernel));
    expect(unknown).toEqual([]);
  });
});
