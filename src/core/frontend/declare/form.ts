/**
 * The forms of a kernel. Short: `kernel(name, parameters, (parameters) => ...)`, where CUDA's words are imported names, or taken
 * from a second argument, and device functions are known by theirs. Template: `kernel(name, parameters, constants, (parameters,
 * constants) => ...)`, the same with constants. Long: `kernel(name, { params, constants, functions }, (parameters, cuda,
 * constants) => ...)`, where all of them are arguments, which no bundler renames.
 */
export type FormName = "short" | "template" | "long";

export type ArgumentName = "params" | "cuda" | "constants";

export interface Form {
  /** The function's arguments in their order. */
  readonly arguments: readonly ArgumentName[];
  /** The error for a function with more arguments. */
  readonly refusal: string;
  /** How the arguments are written. */
  readonly head: string;
  /** Where a number, a function or a parameter is given that the text names. */
  giveName(name: string): string;
  /** Where a parameter is declared. */
  parameter(declaration: string): string;
  /** Where a constant or a function is given. */
  constant(name: string): string;
}

const giveConstant = (name: string): string =>
  `kernel("name", { ... }, { ${name}: 256 }, ({ ... }, { ${name} }) => ...)`;

const short: Form = {
  arguments: ["params", "cuda"],
  refusal: "has two arguments at most: its parameters and CUDA's words, which can be imported as well.",
  head: "({ input, output }) => { ... }",
  giveName: (name) =>
    `A number is a constant: kernel("name", { ... }, { ${name} }, ({ ... }, { ${name} }) => ...); a device function is made before, by device("${name}", ...); what changes from launch to launch is a parameter.`,
  parameter: (declaration) => `kernel("name", { ${declaration} }, ...)`,
  constant: giveConstant,
};

export const forms: Readonly<Record<FormName, Form>> = {
  short,
  template: {
    ...short,
    arguments: ["params", "constants"],
    refusal: "with template constants has two arguments: its parameters and the constants.",
    head: "({ input, output }, { BLOCK }) => { ... }",
  },
  long: {
    arguments: ["params", "cuda", "constants"],
    refusal: "has three arguments: its parameters, CUDA's words, and constants with functions.",
    head: "(parameters, { threadIdx, ... }, { BLOCK, ... }) => { ... }",
    giveName: (name) =>
      `A number is a constant: constants: { ${name} }, taken from the third argument; a device function is made before, by device("${name}", ...), or goes into functions: { ${name} }; what changes from launch to launch is a parameter.`,
    parameter: (declaration) => `params: { ${declaration} }`,
    constant: (name) => `constants: { ${name}: 256 }, or functions: { ${name} }`,
  },
};
