/** Checks the invariants of program.ts. Tests run it on every program. */
import type { Guard, Instruction, Program, Region } from "../program.js";

/** A sentence for each violated invariant; empty if the program is valid. */
export function verifyProgram(program: Program): readonly string[] {
  const faults: string[] = [];
  const { instructions, registers } = program;
  const fault = (inst: Instruction | null, what: string): void => {
    faults.push(inst === null ? what : `pc ${inst.pc} (${inst.op}): ${what}`);
  };
  instructions.forEach((inst, pc) => {
    if (inst.pc !== pc) fault(inst, `stands at ${pc}`);
    for (const reg of inst.dst)
      if (registers[reg] === undefined) fault(inst, `writes register ${reg}, which there is not`);
    for (const operand of inst.src) {
      if (operand.kind === "reg" && registers[operand.reg] === undefined) {
        fault(inst, `reads register ${operand.reg}, which there is not`);
      }
      if (operand.kind === "param" && program.params[operand.index]?.kind !== "scalar") {
        fault(inst, `reads parameter ${operand.index}, which is no scalar`);
      }
    }
    if (inst.guard !== null && registers[inst.guard.reg]?.type !== "bool") fault(inst, "has a guard that is no bool");
    if (program.sources[inst.source] === undefined) fault(inst, `comes from source ${inst.source}, which there is not`);
    if (inst.op === "bra" || inst.op === "bssy") {
      if (inst.target === undefined || inst.target < 0 || inst.target > instructions.length)
        fault(inst, "has no target");
    }
    if (
      (inst.op === "ld" || inst.op === "st" || inst.op === "atom") &&
      (inst.root === undefined || inst.space === undefined)
    ) {
      fault(inst, "has no root or space");
    }
    checkTypes(program, inst, (what) => fault(inst, what));
  });
  checkTree(program, fault);
  return faults;
}

function bits(type: string): string {
  if (type === "u32") return "i32";
  return type === "u64" ? "i64" : type;
}

function checkTypes(program: Program, inst: Instruction, fault: (what: string) => void): void {
  const typeOf = (index: number): string | null => {
    const operand = inst.src[index];
    return operand?.kind === "reg" ? bits(program.registers[operand.reg]?.type ?? "none") : null;
  };
  const expect = (index: number, type: string | undefined): void => {
    const found = typeOf(index);
    if (found !== null && type !== undefined && found !== bits(type))
      fault(`operand ${index} is ${found}, not ${type}`);
  };
  const result = inst.dst[0] === undefined ? null : bits(program.registers[inst.dst[0]]?.type ?? "none");
  switch (inst.op) {
    case "setp":
      expect(0, inst.sourceType);
      expect(1, inst.sourceType);
      expect(2, "bool");
      if (result !== "bool") fault(`gives ${result}`);
      break;
    case "selp":
      expect(0, inst.type);
      expect(1, inst.type);
      expect(2, "bool");
      break;
    case "addr":
      expect(1, "addr");
      if (result !== "addr") fault(`gives ${result}`);
      break;
    case "ld":
    case "st":
    case "atom":
      expect(0, "addr");
      if (inst.op === "st") for (let i = 1; i < inst.src.length; i++) expect(i, inst.type);
      break;
    case "add":
    case "sub":
    case "mul":
    case "mad":
    case "min":
    case "max":
    case "add3":
    case "div":
    case "rem":
      for (let i = 0; i < inst.src.length; i++) expect(i, inst.type);
      if (result !== bits(inst.type)) fault(`gives ${result}, not ${inst.type}`);
      break;
    case "launch":
      checkLaunch(program, inst, fault);
      for (let i = 0; i < inst.src.length; i++) expect(i, inst.launch?.types[i - 7] ?? "u32");
      break;
    case "cvt":
      expect(0, inst.sourceType);
      break;
    default:
      break;
  }
}

/** Three sizes of the grid, three of the block and the shared bytes, then an argument per parameter of the child. */
function checkLaunch(program: Program, inst: Instruction, fault: (what: string) => void): void {
  if (inst.launch === undefined) {
    fault("does not say what it launches");
    return;
  }
  const { child, types, roots } = inst.launch;
  const callee = child === "self" ? program : program.children?.[child];
  if (callee === undefined) {
    fault(`launches child ${child}, which there is not`);
    return;
  }
  if (inst.src.length !== 7 + types.length || roots.length !== types.length || callee.params.length !== types.length) {
    fault(`has ${inst.src.length} sources for ${callee.name} of ${callee.params.length} parameters`);
  }
  callee.params.forEach((param, index) => {
    const type = param.kind === "pointer" ? "addr" : param.type;
    if (types[index] !== type) fault(`gives ${types[index] ?? "nothing"} for ${param.name}, which is ${type}`);
    const root = roots[index] ?? null;
    if ((param.kind === "pointer") !== (root?.kind === "param"))
      fault(`gives no pointer into global memory for ${param.name}`);
  });
}

function sameGuard(a: Guard | null, b: Guard | null, negated: boolean): boolean {
  if (a === null || b === null) return a === b;
  return a.reg === b.reg && (a.negate !== b.negate) === negated;
}

function checkTree(program: Program, fault: (inst: Instruction | null, what: string) => void): void {
  const { instructions } = program;
  let next = 0;
  const take = (pc: number): Instruction | null => {
    const inst = instructions[pc] ?? null;
    if (pc !== next) fault(inst, `the tree has pc ${pc} where ${next} is due`);
    next = pc + 1;
    return inst;
  };
  const loops = new Map<number, { readonly latch: number }>();
  const visit = (region: Region): void => {
    for (const node of region) {
      if (node.kind === "run") {
        for (let i = 0; i < node.count; i++) {
          const inst = take(node.first + i);
          if (inst !== null && (inst.op === "bra" || inst.op === "exit")) fault(inst, "a jump stands in a run");
        }
      } else if (node.kind === "if") {
        const branch = take(node.branch);
        if (branch?.op !== "bra") fault(branch, "an if's branch is no bra");
        if (branch !== null && !sameGuard(branch.guard, node.condition, true))
          fault(branch, "does not skip where the condition fails");
        visit(node.then);
        if (node.jumpOver !== null) {
          const over = take(node.jumpOver);
          if (over?.op !== "bra" || over.guard !== null) fault(over, "is no plain jump over the else side");
        } else if (node.else.length > 0) fault(branch, "has an else side without a jump over it");
        if (branch !== null && branch.target !== next) fault(branch, `goes to ${branch.target}, not to ${next}`);
        visit(node.else);
        if (node.jumpOver !== null && instructions[node.jumpOver]?.target !== next)
          fault(instructions[node.jumpOver]!, "goes elsewhere");
      } else if (node.kind === "loop") {
        const start = next;
        loops.set(node.id, { latch: -1 });
        visit(node.body);
        visit(node.latch);
        const back = take(node.backBranch);
        if (back?.op !== "bra" || back.target !== start) fault(back, `does not go back to ${start}`);
        if (back !== null && !sameGuard(back.guard, node.condition, false))
          fault(back, "has another guard than its loop");
      } else {
        const jump = take(node.pc);
        if (jump !== null && jump.op !== (node.kind === "exit" ? "exit" : "bra")) fault(jump, `is no ${node.kind}`);
        if (jump !== null && !sameGuard(jump.guard, node.condition, false))
          fault(jump, "has another guard than its node");
        if (node.kind !== "exit" && !loops.has(node.loop)) fault(jump, `leaves loop ${node.loop}, which it is not in`);
      }
    }
  };
  visit(program.body);
  if (next !== instructions.length) fault(null, `the tree ends at ${next} of ${instructions.length}`);
}
