import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runText } from "./run-here.js";

const main = (body: string): string => `#include <stdio.h>\n#include <stdlib.h>\n${body}`;

describe("a program with a mistake", () => {
  it.each([
    [
      "reads by a null pointer",
      'int main() {\n int* p = NULL;\n printf("%d", p[3]);\n}',
      139,
      /null pointer[\s\S]*line 5 of/,
    ],
    [
      "reads the GPU's memory",
      "int main() {\n int* p; cudaMalloc(&p, 8);\n return p[0];\n}",
      139,
      /Segmentation fault[\s\S]*line 5 of/,
    ],
    ["divides by zero", "int main(int n, char**) {\n return 7 / (n - 1);\n}", 136, /divides by zero[\s\S]*line 4 of/],
    ["aborts", 'int main() {\n puts("x"); abort();\n}', 134, /aborted[\s\S]*line 4 of/],
  ])("that %s ends with the signal's code and its line", (_, body, code, message) => {
    const ran = runText(main(body));
    expect(ran.stderr).toMatch(message);
    expect(ran.code).toBe(code);
  });

  it.each([
    ["a missing semicolon", "int main() {\n int x = 1\n return x;\n}", /Expected ';'[\s\S]*line 4 of program.cu/],
    ["a header that is not there", '#include "nowhere.h"\nint main() {}', /nowhere.h[\s\S]*line 3 of program.cu/],
    [
      "a library that is not there",
      "#include <cublas_v2.h>\nint main() {}",
      /cublas_v2.h[\s\S]*line 3 of program.cu[\s\S]*library is not there/,
    ],
    ["a file that includes itself", "#include __FILE__\nint main() {}", /nested too deeply[\s\S]*#pragma once/],
    [
      "an absolute path of this machine",
      '#include "/etc/passwd"\nint main() {}',
      /passwd' file not found[\s\S]*line 3/,
    ],
    [
      "an array of a gigabyte with first values",
      "int big[1 << 28] = {1};\nint main() { return big[0]; }",
      /clang has ended/,
    ],
    ["10000 kernels", "__global__ void k();\n".repeat(10_000), /has 10000 kernels/],
    [
      "a texture",
      "int main() {\n cudaArray* a;\n}",
      /type name 'cudaArray'\.[\s\S]*line 4 of program.cu[\s\S]*through a pointer/,
    ],
    [
      "a function that is defined nowhere",
      "int other(int);\nint main() { return other(1); }",
      /defined nowhere: .*other/,
    ],
  ])("is refused for %s", (_, body, message) => {
    const ran = runText(main(body));
    expect(ran.stderr).toMatch(message);
    expect(ran.code).toBe(1);
  });

  it("is refused for an include that leaves its folder, unless that folder is named", () => {
    const text = '#include "../inner/../outside.h"\nint main() { return N; }';
    const inner = runText(text, {}, { "../outside.h": "#define N 5\n" });
    expect(inner.stderr).toMatch(/outside of the program's folder[\s\S]*line 1 of program.cu/);
    expect(inner.code).toBe(1);
  });

  it("is told of a long that overflows its 32 bits, and of a pointer to one that a kernel is given", () => {
    const ran = runText(
      main(`__global__ void k(long* p) { *p = 1; }
      int main() {
        long sum = 1; for (int i = 0; i < 40; i++) sum *= 2;
        long* p; cudaMalloc(&p, 8); k<<<1, 1>>>(p); return cudaGetLastError() != 0;
      }`),
    );
    expect(ran.stderr).toMatch(/long overflows[\s\S]*line 5 of program.cu/);
    expect(ran.stderr).toContain("parameter p cannot be handed over: it points to a long");
    expect(ran.code).toBe(1);
  });
});

describe("a program's files", () => {
  const reader = main(`int main(int, char** v) {
    FILE* f = fopen(v[1], v[2]); if (!f) { puts("none"); return 0; }
    char t[32] = ""; if (v[2][0] == 'r') { fgets(t, 32, f); puts(t); } else fputs("written", f);
    fclose(f);
  }`);
  it("are those of its own folder", () => {
    const files = { "data/a.txt": "beside", "../secret.txt": "outside" };
    expect(runText(reader, { args: ["data/a.txt", "r"] }, files).stdout).toBe("beside\n");
    expect(runText(reader, { args: ["../secret.txt", "r"] }, files).stdout).toBe("none\n");
    expect(runText(reader, { args: ["/etc/hostname", "r"] }, files).stdout).toBe("none\n");
  });

  it("are written in a folder that is named, and nowhere else", () => {
    const refused = runText(reader, { args: ["a.txt", "w"] }, {}, (folder) => {
      expect(existsSync(join(folder, "a.txt"))).toBe(false);
    });
    expect(refused.stdout).toBe("none\n");
    expect(refused.stderr).toContain("--write DIR");
    runText(reader, { args: ["a.txt", "w"], write: "out" }, {}, (folder) => {
      expect(readFileSync(join(folder, "out/a.txt"), "utf8")).toBe("written");
    });
  });
});
