import { describe, expect, it } from "vitest";
import { webAssembly } from "../../../src/core/base/webassembly.js";
import { FunctionBody } from "../../../src/core/engine/fast/wasm/body.js";
import { ModuleBuilder } from "../../../src/core/engine/fast/wasm/module.js";
import { CONTROL, I32, I64, type ValueType } from "../../../src/core/engine/fast/wasm/opcodes.js";
import { I32X4 } from "../../../src/core/engine/fast/wasm/simd.js";

type Callable = (...args: unknown[]) => unknown;

/** A module with one function, instantiated. */
function compile(
  params: ValueType[],
  results: ValueType[],
  write: (body: FunctionBody, module: ModuleBuilder) => void,
): Callable {
  const module = new ModuleBuilder({ shared: false, maximumPages: 65536 });
  const body = new FunctionBody(params, results);
  write(body, module);
  module.define(module.declare(), body, "f");
  const memory = new webAssembly.Memory({ initial: 1, maximum: 1, shared: false });
  const host = { memory, ask: (x: number) => x + 1000 };
  return new webAssembly.Instance(new webAssembly.Module(module.encode()), { host }).exports.f as Callable;
}

describe("the encoder of WebAssembly modules", () => {
  for (const value of [0, 1, -1, 63, 64, -64, -65, 8191, 8192, 2147483647, -2147483648]) {
    it(`writes the constant ${value} so that it comes back`, () => {
      expect(compile([], ["i32"], (body) => body.i32(value))()).toBe(value);
      expect(compile([], ["i64"], (body) => body.i64(BigInt(value) * 4294967297n))()).toBe(
        BigInt.asIntN(64, BigInt(value) * 4294967297n),
      );
    });
  }
  it("runs a loop with a label and locals", () => {
    const sum = compile(["i32"], ["i32"], (body) => {
      const total = body.local("i32");
      const done = body.block();
      const again = body.loop();
      body.get(0);
      body.op(I32.eqz);
      body.brIf(done);
      body.get(total);
      body.get(0);
      body.op(I32.add);
      body.set(total);
      body.get(0);
      body.i32(1);
      body.op(I32.sub);
      body.set(0);
      body.br(again);
      body.end();
      body.end();
      body.get(total);
    });
    expect(sum(10)).toBe(55);
  });
  it("puts code that was kept back, and the prologue, where they belong", () => {
    const f = compile([], ["i32"], (body) => {
      const first = body.permanent("i32");
      const later = body.capture(() => {
        body.get(first);
        body.i32(2);
        body.op(I32.mul);
      });
      body.inPrologue(() => {
        body.i32(21);
        body.set(first);
      });
      body.append(later);
    });
    expect(f()).toBe(42);
  });
  it("numbers own functions behind imports that are declared later", () => {
    const f = compile(["i32"], ["i32"], (body, module) => {
      const twice = new FunctionBody(["i32"], ["i32"]);
      twice.get(0);
      twice.get(0);
      twice.op(I32.add);
      const index = module.declare();
      module.define(index, twice);
      body.get(0);
      body.call(index);
      body.callImport(module.import({ name: "ask", params: ["i32"], results: ["i32"] }));
    });
    expect(f(4)).toBe(1008);
  });
  it("writes SIMD opcodes of one and two bytes", () => {
    const f = compile(["i32"], ["i32"], (body) => {
      body.get(0);
      body.splat("i32");
      body.i32x4(0, 1, 2, 3);
      body.op(I32X4.mul);
      const lanes = body.local("v128");
      body.tee(lanes);
      body.get(lanes);
      body.shuffleWords(3, 2, 1, 0);
      body.extract("i32", 0);
    });
    expect(f(7)).toBe(21);
  });
  it("keeps 64-bit constants whole", () => {
    const f = compile([], ["i64"], (body) => {
      body.i64(-(1n << 63n));
      body.i64(1);
      body.op(I64.add, CONTROL.return);
    });
    expect(f()).toBe(-(1n << 63n) + 1n);
  });
});
