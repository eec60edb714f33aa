/** What a web page takes of the package: core and course, bundled for a browser. */
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

test("core and course are one bundle for a browser, without a stub and without Node", async () => {
  const { outputFiles, warnings, metafile } = await build({
    entryPoints: [join(import.meta.dirname, "../src/dist/index.js")],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  expect(warnings).toEqual([]);
  const [script] = outputFiles;
  console.log(`core and course: ${Math.ceil(gzipSync(script!.contents).length / 1024)} KiB gzipped`);
  const others = Object.keys(metafile.inputs).filter((file) =>
    /\/(node|tools)\//.test(file.replace(/.*\.cache\/builds/, "")),
  );
  expect(others).toEqual([]);
  expect(script!.text).not.toMatch(/["']node:\w+["']/);
});
