/** The cells of the tables: which a random kernel can have, and why it cannot have the others. */
import { FUNCTIONS } from "../functions.js";
import { NUMERIC, type Type } from "../tree.js";
import { FLOWS } from "./data-flow.js";
import { LOOP_COLUMNS } from "./loop-form.js";
import { TYPE_COLUMNS } from "./operations.js";

export interface Table {
  readonly title: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** null: the cell is possible. */
  readonly impossible: (row: string, column: string) => string | null;
}

export const FLOW_TABLE: Table = {
  title: "Data flow by form of loop",
  rows: FLOWS,
  columns: LOOP_COLUMNS,
  impossible(row, column) {
    if (row.startsWith("test") && column === "const") return "constant bounds read no variable of the loop";
    if (row.startsWith("test") && column === "end") return "for (;;) has no test";
    if (row.startsWith("end") && column === "end") return "for (;;) ends by breaks alone";
    return null;
  },
};

const INTEGERS: readonly Type[] = ["i32", "u32", "i64", "u64"];
const WORDS: readonly Type[] = ["i32", "u32"];
const FLOATS: readonly Type[] = ["f32", "f64"];

/** Rows with the types that they have, and why they have no others. */
const OPERATIONS: readonly (readonly [rows: string, types: readonly Type[], reason: string])[] = [
  ["-x + - * += -= *= ++ --", NUMERIC, "truth values have no arithmetic"],
  ["/ /=", FLOATS, "the language has idiv between integers"],
  ["idiv % idiv= %=", INTEGERS, "the language has / and fmod of floats"],
  ["~x & | ^ << >> >>> &= |= ^= <<= >>=", INTEGERS, "only integers have operations on bits"],
  ["!x && ||", ["bool"], "a condition is a truth value"],
  ["=== !== < <= > >=", NUMERIC, "truth values are compared as i32"],
  ["?:", NUMERIC, "a choice between conditions is written by && and ||"],
  ["a[i] shared_a[i] a[i]_=_x a[i]_op=_x", NUMERIC, "memory holds no truth values"],
  ["shfl_sync shfl_up_sync shfl_down_sync shfl_xor_sync", NUMERIC, "a truth value goes as i32"],
  ["match_any_sync match_all_sync", INTEGERS, "floats match by their bits, as integers"],
  ["ballot_sync any_sync all_sync", ["bool"], "a vote is on truth values"],
  ["reduce_add_sync reduce_min_sync reduce_max_sync", WORDS, "the machine reduces 32-bit integers"],
  ["reduce_and_sync reduce_or_sync reduce_xor_sync", WORDS, "the machine reduces 32-bit integers"],
  ["popc", WORDS, "the function takes no such argument"],
  ["activemask", ["u32"], "it has no operand"],
  ["reduce inclusive_scan exclusive_scan", WORDS, "sums of floats depend on their order"],
  ["atomicAdd", ["i32", "u32", "u64", "f32", "f64"], "CUDA has no such atomic"],
  ["atomicSub", WORDS, "CUDA has no such atomic"],
  ["atomicMin atomicMax", INTEGERS, "CUDA has no such atomic"],
  ["atomicAnd atomicOr atomicXor", ["i32", "u32", "u64"], "CUDA has no such atomic"],
  ["atomicInc atomicDec", ["u32"], "CUDA has no such atomic"],
  ["atomicExch", ["i32", "u32", "u64", "f32"], "no other type's value is used by the one thread that exchanges"],
  ["atomicCAS", ["i32", "u32", "u64"], "CUDA has no such atomic"],
  ["shared_atomicAdd", ["i32", "u32", "u64", "f32", "f64"], "CUDA has no such atomic"],
  ["shared_atomicSub", WORDS, "CUDA has no such atomic"],
  ["shared_atomicMin shared_atomicMax", INTEGERS, "CUDA has no such atomic"],
  ["shared_atomicAnd shared_atomicOr shared_atomicXor", ["i32", "u32", "u64"], "CUDA has no such atomic"],
  ["shared_atomicInc", ["u32"], "CUDA has no such atomic"],
];

interface Operation {
  readonly types: readonly Type[];
  readonly reason: string;
}

function operationRows(): ReadonlyMap<string, Operation> {
  const rows = new Map<string, Operation>();
  for (const [names, types, reason] of OPERATIONS) {
    for (const name of names.split(" "))
      rows.set(name.replaceAll("_=_", " = ").replace("_op=_", " op= ").replace("shared_", "shared "), {
        types,
        reason,
      });
  }
  for (const to of NUMERIC) {
    rows.set(`to ${to}`, { types: TYPE_COLUMNS.filter((from) => from !== to), reason: "a value has its type already" });
  }
  for (const { names, args } of FUNCTIONS) {
    const known = rows.get(names[0])?.types ?? [];
    rows.set(names[0], { types: [...known, args[0] ?? "i32"], reason: "the function takes no such argument" });
  }
  // min, max and abs of floats and of integers are one word.
  for (const [both, floats] of [
    ["min", "fmin"],
    ["max", "fmax"],
    ["abs", "fabs"],
  ] as const) {
    const [a, b] = [rows.get(both), rows.get(floats)];
    rows.delete(both);
    if (a !== undefined && b !== undefined) rows.set(floats, { ...b, types: [...a.types, ...b.types] });
  }
  return rows;
}

const OPERATION_ROWS = operationRows();

export const OPERATION_TABLE: Table = {
  title: "Operations by type",
  rows: [...OPERATION_ROWS.keys()],
  columns: TYPE_COLUMNS,
  impossible(row, column) {
    const operation = OPERATION_ROWS.get(row);
    if (operation === undefined) return "no such operation";
    return operation.types.some((t) => t === column) ? null : operation.reason;
  },
};

/** Statements, wherever they stand. */
const STATEMENTS =
  "const|let|x = y|x op= y|x++|[a, b] = |const [a, b] =|let [a, b] =|a[i] = x|a[i] op= x|a[i][j] = x|if|if else|for|while|do|" +
  "endless|break|continue|return|switch|switch, falls|block|local|pointer|vector|v.x = y|vector store|shfl|ballot_sync|" +
  "any|all|match|reduce|activemask|tile|blockVote|atomic|x = atomic|syncthreads|syncwarp|fence";

export const STATEMENT_TABLE: Table = {
  title: "Statements",
  rows: STATEMENTS.split("|"),
  columns: ["any"],
  impossible: () => null,
};

/** Words of the language that no random kernel has, with the reason. */
export const ABSENT_WORDS: Readonly<Record<string, string>> = {
  printf: "the order of output is not defined",
  launch: "a random kernel has no child",
  self: "a random kernel has no child",
  deviceSynchronize: "a random kernel has no child",
  this_grid: "needs a cooperative launch",
  coalesced_threads: "which lanes are active is not defined",
  shfl: "before CUDA 9: which lanes are active is not defined",
  shfl_up: "before CUDA 9: which lanes are active is not defined",
  shfl_down: "before CUDA 9: which lanes are active is not defined",
  shfl_xor: "before CUDA 9: which lanes are active is not defined",
  ballot: "before CUDA 9: which lanes are active is not defined",
  any: "before CUDA 9: which lanes are active is not defined",
  all: "before CUDA 9: which lanes are active is not defined",
  clock: "its value is not defined",
  volatile: "needs threads that read each other's memory without a barrier",
  bool: "a type that is written only among constants",
  ...Object.fromEntries(
    ["i8", "u8", "i16", "u16"].map((word) => [
      word,
      "narrow-memory.test.ts draws programs of them, which g++ runs, too",
    ]),
  ),
  syncthreads_count: "another name of syncthreadsCount",
  syncthreads_and: "another name of syncthreadsAnd",
  syncthreads_or: "another name of syncthreadsOr",
};
