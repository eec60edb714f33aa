/** Each pass leaves sound SSA; and the verifier finds each kind of fault. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCuda } from "../../../../src/core/frontend/cuda/read-cuda.js";
import { compileKernel, i32, ptr } from "../../../../src/core/frontend/index.js";
import type { KernelIr } from "../../../../src/core/ir/ir.js";
import { build } from "../../../../src/core/lower/build/build.js";
import { lower } from "../../../../src/core/lower/lower.js";
import type { LoweringOptions } from "../../../../src/core/lower/program.js";
import { type IfNode, type Inst, type LoopNode, type SsaFunction, walk } from "../../../../src/core/lower/ssa/ssa.js";
import { verifySsa } from "../../../../src/core/lower/ssa/verify-ssa.js";
import { everyKernel } from "../../../kernels/index.js";
import { CAPABILITIES, capabilityOf, nameOf } from "../../../random/capabilities.js";
import { firstFailure, PROPERTY_TIMEOUT_MS } from "../../../random/property.js";
import { checkedIr } from "../../../random/run-case.js";

/** The faults that the first unsound pass leaves, after its name; null where all are sound. */
function firstUnsound(ir: KernelIr, options: LoweringOptions): string | null {
  let found: string | null = null;
  let applications = 0;
  lower(ir, options, {
    after(step, fn) {
      applications++;
      const faults = verifySsa(fn);
      if (faults.length > 0) found ??= `application ${applications}, ${step}: ${faults.join("; ")}`;
    },
  });
  expect(applications).toBeGreaterThan(5);
  return found;
}

const CONTROL_FLOW = readCuda(
  readFileSync(new URL("../../../reference/instruction-counts/2/patterns.cu", import.meta.url), "utf8"),
);

describe("behind each pass the SSA is sound", () => {
  it.each(
    ["2.0", "7.5", "9.0"]
      .map(capabilityOf)
      .map((computeCapability) => ({ on: nameOf(computeCapability), computeCapability })),
  )(
    "for the course's kernels and patterns of control flow on $on, with and without optimisation",
    ({ computeCapability }) => {
      let tried = 0;
      for (const ir of [...everyKernel().map((kernel) => kernel.ir), ...CONTROL_FLOW.values()]) {
        for (const debug of [false, true]) {
          try {
            expect(firstUnsound(ir, { computeCapability, contractFma: true, debug }), ir.name).toBeNull();
            tried++;
          } catch (error) {
            // The GPU lacks what the kernel uses.
            if (!(error instanceof Error) || error.name !== "CompileError") throw error;
          }
        }
      }
      expect(tried).toBeGreaterThan(100);
    },
  );

  it(
    "for random kernels",
    () => {
      const failure = firstFailure({
        name: "sound SSA",
        options: { defined: false },
        usual: 40,
        check(tree) {
          const ir = checkedIr(tree);
          const capabilities = CAPABILITIES.filter(({ major }) => major >= 8);
          const computeCapability = capabilities[tree.seed % capabilities.length] ?? { major: 9, minor: 0 };
          return firstUnsound(ir, { computeCapability, contractFma: tree.seed % 2 === 0 });
        },
      });
      expect(failure).toBeNull();
    },
    PROPERTY_TIMEOUT_MS,
  );
});

const TEXT = `({ out, n }) => {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    if (out[i] > 3) continue;
    if (out[i] < 0) break;
    sum += out[i] * 2;
  }
  if (sum > 5) sum = 7;
  out[0] = sum;
}`;

class Nodes {
  readonly fn: SsaFunction;
  readonly insts: Inst[] = [];
  readonly ifs: IfNode[] = [];
  readonly loops: LoopNode[] = [];

  constructor() {
    const ir = compileKernel({
      name: "broken",
      text: TEXT,
      params: { out: ptr(i32), n: i32 },
      constants: {},
      functions: {},
      form: "long",
    });
    this.fn = build(ir);
    walk(this.fn.body, (node) => {
      if (node.kind === "inst") this.insts.push(node);
      else if (node.kind === "if") this.ifs.push(node);
      else this.loops.push(node);
    });
  }

  inst(op: string): Inst {
    const found = this.insts.find((inst) => inst.op === op);
    if (found === undefined) throw new Error(`no ${op}`);
    return found;
  }

  get loop(): LoopNode {
    return this.loops[0]!;
  }
}

const FAULTS: readonly (readonly [what: string, wanted: RegExp, plant: (nodes: Nodes) => void])[] = [
  [
    "an operand that nothing defines",
    /mul of line 6: operand 0 reads value \d+, which nothing defines before/,
    (nodes) => {
      nodes.inst("mul").operands[0] = nodes.fn.value("i32");
    },
  ],
  [
    "a read before the definition",
    /which nothing defines before/,
    ({ fn }) => {
      fn.body.nodes.reverse();
    },
  ],
  [
    "a read behind the region of the definition",
    /whose definition does not dominate it/,
    (nodes) => {
      nodes.insts.at(-1)!.operands[1] = nodes.inst("mul").results[0]!;
    },
  ],
  [
    "a read in the latch of what a continue skips",
    /a next value reads value \d+, whose definition does not dominate it/,
    (nodes) => {
      nodes.loop.nexts[0] = nodes.inst("mul").results[0]!;
    },
  ],
  [
    "a second definition",
    /two definitions/,
    ({ fn, insts }) => {
      fn.body.nodes.push(insts[0]!);
    },
  ],
  [
    "a result that names another instruction",
    /names another definition/,
    (nodes) => {
      nodes.inst("mul").results[0]!.def = nodes.inst("ld");
    },
  ],
  [
    "an operand too few",
    /mul of line 6: has 1 operands, not 2/,
    (nodes) => {
      nodes.inst("mul").operands.pop();
    },
  ],
  [
    "an operand of another type",
    /mul of line 6: operand 1 is f32 in an instruction of i32/,
    (nodes) => {
      nodes.inst("mul").operands[1] = nodes.fn.constant("f32", 2);
    },
  ],
  [
    "a result of another type",
    /add of line \d: result 0 is bool/,
    (nodes) => {
      const add = nodes.inst("add");
      add.results = [nodes.fn.value("bool")];
      add.results[0]!.def = add;
    },
  ],
  [
    "a condition that is no bool",
    /if of line \d: the condition is i32/,
    ({ fn, ifs }) => {
      ifs[0]!.condition = fn.constant("i32", 1);
    },
  ],
  [
    "a loop with an initial value too few",
    /the entry gives \d values for \d/,
    ({ loop }) => {
      loop.inits.pop();
    },
  ],
  [
    "a loop with a next value too few",
    /the latch gives \d values for \d/,
    ({ loop }) => {
      loop.nexts.pop();
    },
  ],
  [
    "a loop with an exit value too many",
    /the exit gives \d values for \d/,
    ({ loop }) => {
      loop.exits.push(loop.exits[0]!);
    },
  ],
  [
    "a next value of another type",
    /the latch gives f32 for i32/,
    ({ fn, loop }) => {
      loop.nexts[0] = fn.constant("f32", 0);
    },
  ],
  [
    "a side of an if with a value too few",
    /a side gives 0 values for 1/,
    ({ ifs }) => {
      ifs.at(-1)!.then.end.values.pop();
    },
  ],
  [
    "a break without its loop's results",
    /a break gives 0 values for/,
    ({ ifs }) => {
      for (const { then } of ifs) if (then.end.kind === "break") then.end.values = [];
    },
  ],
  [
    "a continue without the latch's parameters",
    /a continue gives 0 values for/,
    ({ ifs }) => {
      for (const { then } of ifs) if (then.end.kind === "continue") then.end.values = [];
    },
  ],
  [
    "a jump out of a loop that it is not in",
    /a break leaves a loop that it is not in/,
    ({ fn, loop, ifs }) => {
      const values = loop.results;
      ifs.at(-1)!.then.end = { kind: "break", loop, values, span: loop.span, source: 0 };
      fn.body.end.values = [];
    },
  ],
];

describe("the verifier finds", () => {
  it("nothing in what the builder makes", () => {
    expect(verifySsa(new Nodes().fn)).toEqual([]);
  });

  it.each(FAULTS)("%s", (_, wanted, plant) => {
    const nodes = new Nodes();
    plant(nodes);
    expect(verifySsa(nodes.fn).join("\n")).toMatch(wanted);
  });
});
