import { describe, expect, it } from "vitest";
import { assemble } from "./assembler.js";

const TEXT = `
kernel sum
param in ptr i32
param out ptr i32
param n u32
shared s i32 64
  t = mov.u32 threadIdx.x
  p = setp.lt.u32 t, n
  if p {
    a = addr in[t]
    x = ld.i32 in[a + 4]
  } else {
    x = mov.i32 7
  }
  b = addr s[t]
  st.i32 s[b], x
  bar
  k = mov.u32 32
  loop {
    q = setp.ge.u32 t, k
    break if q
    @q x = add.i32 x, 1
    latch
    k = shr.u32 k, 1
    r = setp.gt.u32 k, 0
  } while r
`;

describe("the assembler of the engines' tests", () => {
  const program = assemble(TEXT);
  it("numbers the instructions in program order", () => {
    expect(program.instructions.map((instruction) => instruction.pc)).toEqual([...program.instructions.keys()]);
  });
  it("lets the tree name every pc once", () => {
    const pcs: number[] = [];
    const walk = (nodes: typeof program.body): void => {
      for (const node of nodes) {
        if (node.kind === "run") for (let i = 0; i < node.count; i++) pcs.push(node.first + i);
        else if (node.kind === "if") {
          pcs.push(node.branch);
          walk(node.then);
          if (node.jumpOver !== null) pcs.push(node.jumpOver);
          walk(node.else);
        } else if (node.kind === "loop") {
          walk(node.body);
          walk(node.latch);
          pcs.push(node.backBranch);
        } else pcs.push(node.pc);
      }
    };
    walk(program.body);
    expect(pcs).toEqual([...program.instructions.keys()]);
  });
  it("points the branch of an if at the else part and the jump at the bsync", () => {
    const branch = program.instructions.find((instruction) => instruction.op === "bra");
    expect(program.instructions[branch?.target ?? 0]).toMatchObject({ op: "mov", src: [{ kind: "imm", value: 7 }] });
    const jump = program.instructions[(branch?.target ?? 0) - 1];
    expect(program.instructions[jump?.target ?? 0]?.op).toBe("bsync");
  });
  it("keeps the line of each instruction", () => {
    const load = program.instructions.find((instruction) => instruction.op === "ld");
    expect(load?.span).toEqual({ line: 11, column: 4, length: "x = ld.i32 in[a + 4]".length });
  });
  it("names the line it cannot read", () => {
    expect(() => assemble("param n i32\n x = add.i32 n, wrong")).toThrow(/line 2.*wrong/);
  });
});
