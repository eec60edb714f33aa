import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { replaceFile, replaceFiles } from "../../../src/node/setup/replace.js";

const folder = mkdtempSync(join(tmpdir(), "warplab-replace-"));
afterAll(() => rmSync(folder, { recursive: true }));
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

describe("a result", () => {
  test("takes the place of the old one, with its mode, through a link", () => {
    writeFileSync(join(folder, "file"), "old");
    chmodSync(join(folder, "file"), 0o640);
    symlinkSync("file", join(folder, "link"));
    replaceFile(join(folder, "link"), "new");
    expect([read("file"), statSync(join(folder, "file")).mode & 0o777]).toEqual(["new", 0o640]);
  });

  test("that cannot be written leaves the old one, and nothing beside it", () => {
    mkdirSync(join(folder, "taken/inside"), { recursive: true });
    const before = readdirSync(folder);
    expect(() => replaceFile(join(folder, "taken"), "new")).toThrow(/EISDIR|EPERM|ENOTEMPTY/);
    expect(readdirSync(folder)).toEqual(before);
  });

  test("of several files is there when all are written, and none where one fails", async () => {
    const target = join(folder, "several");
    const write = (text: string) => (beside: string) => {
      mkdirSync(join(beside, "sub"));
      writeFileSync(join(beside, "a"), text);
      writeFileSync(join(beside, "sub/b"), text);
    };
    expect([...(await replaceFiles(target, write("old")))].sort()).toEqual(["a", join("sub", "b")]);
    writeFileSync(join(target, "mine"), "mine");
    const failing = replaceFiles(target, (beside) => {
      write("half")(beside);
      throw new Error("the disk is full");
    });
    await expect(failing).rejects.toThrow("full");
    expect(readdirSync(target).sort()).toEqual(["a", "mine", "sub"]);
    expect(read("several/a") + read("several/sub/b")).toBe("oldold");
    await replaceFiles(target, write("new"));
    expect([read("several/a"), read("several/sub/b"), read("several/mine")]).toEqual(["new", "new", "mine"]);
  });
});
