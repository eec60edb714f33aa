import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { installKernel, jupyterDataFolder } from "../../../src/node/jupyter/install-kernel.js";

const folder = mkdtempSync(join(tmpdir(), "warplab-kernelspec-"));
afterAll(() => rmSync(folder, { recursive: true }));

// Source: jupyter_core 5, "Common Directories and File Locations": data files of the user.
test("Jupyter's folder for the user's data is where its documentation says, on each system", () => {
  const home = "/home/ada";
  expect(jupyterDataFolder({}, "linux", home)).toBe("/home/ada/.local/share/jupyter");
  expect(jupyterDataFolder({ XDG_DATA_HOME: "/data" }, "linux", home)).toBe("/data/jupyter");
  expect(jupyterDataFolder({}, "darwin", home)).toBe("/home/ada/Library/Jupyter");
  expect(jupyterDataFolder({ APPDATA: "/roaming" }, "win32", home)).toBe("/roaming/jupyter");
  expect(jupyterDataFolder({ JUPYTER_DATA_DIR: "/own" }, "darwin", home)).toBe("/own");
});

describe("the installed kernel", () => {
  test("names Node and the course's kernel by whole paths, and is written once", () => {
    const prefix = join(folder, "a");
    const { path, written } = installKernel({ prefix });
    expect([path, written]).toEqual([join(prefix, "share/jupyter/kernels/tslab/kernel.json"), true]);
    const spec = JSON.parse(readFileSync(path, "utf8")) as { readonly argv: readonly string[] };
    expect(spec).toMatchObject({ display_name: "TypeScript (warplab)", language: "typescript" });
    expect(spec.argv[0]).toBe(process.execPath);
    expect(existsSync(spec.argv[1] ?? "")).toBe(true);
    expect(spec.argv[2]).toBe("{connection_file}");
    expect(installKernel({ prefix }).written).toBe(false);
  });

  test("takes the place of another clone's, and of a stranger's only when forced", () => {
    const prefix = join(folder, "b");
    const path = join(prefix, "share/jupyter/kernels/tslab/kernel.json");
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, JSON.stringify({ argv: ["node", "/old/src/node/jupyter/kernel.cjs", "{connection_file}"] }));
    expect(installKernel({ prefix }).written).toBe(true);
    const stranger = JSON.stringify({ argv: ["tslab", "kernel", "--config-path", "{connection_file}"] });
    writeFileSync(path, stranger);
    expect(() => installKernel({ prefix })).toThrow(/not the course's.*--force/s);
    expect(readFileSync(path, "utf8")).toBe(stranger);
    expect(installKernel({ prefix, force: true }).written).toBe(true);
  });
});
