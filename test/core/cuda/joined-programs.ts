/** Many whole CUDA programs as one: nvcc reads the system's headers, which take most of its time, once. */

export interface NamedProgram {
  /** The kernel's name. */
  readonly name: string;
  readonly text: string;
}

/** Each program in a namespace: their heads stand once, and one main calls their mains. */
export function joinedPrograms(programs: readonly NamedProgram[]): string {
  const includes = new Set<string>();
  const spaces = programs.map(({ name, text }, index) => {
    const body = text
      .replaceAll(/^#include .*$/gm, (line) => {
        includes.add(line);
        return "";
      })
      .replaceAll('extern "C" ', "")
      .replace("int main() {", "int joinedMain() {")
      .replaceAll(new RegExp(`(?<!\\w)::${name}\\b`, "g"), `program${index}::${name}`);
    return `namespace program${index} {\n${body}}\n#undef check\n`;
  });
  const calls = programs.map((_, index) => `program${index}::joinedMain()`);
  return `${[...includes].join("\n")}\n${spaces.join("\n")}\nint main() { return ${calls.join(" + ")}; }\n`;
}
