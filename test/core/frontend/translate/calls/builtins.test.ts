import { describe, expect, test } from "vitest";
import { printKernel } from "../../../../../src/core/ir/print.js";
import { bodyOf, kernelOf, resultOf } from "../../from-text.js";

type Row = readonly [fact: string, text: string, ir: string];

function values(list: readonly Row[]): void {
  test.each(list)("%s", (_, text, ir) => {
    expect(resultOf(text)).toBe(ir);
  });
}

function bodies(list: readonly Row[]): void {
  test.each(list)("%s", (_, text, ir) => {
    expect(bodyOf(text)).toBe(ir);
  });
}

const all = "4294967295u";

describe("warp primitives", () => {
  values([
    ["shfl_sync takes mask, value, lane", "shfl_sync(0xffffffff, n, 3)", `i32 shfl.i32(${all}, n, 3, 32)`],
    ["shfl_sync takes a width", "shfl_sync(0xffffffff, x, 3, 8)", `f32 shfl.f32(${all}, x, 3, 8)`],
    ["shfl_up_sync has an unsigned delta", "shfl_up_sync(0xffffffff, n, 1)", `i32 shflUp.i32(${all}, n, 1u, 32)`],
    ["shfl_down_sync moves 64-bit values", "shfl_down_sync(0xffffffff, d, 16)", `f64 shflDown.f64(${all}, d, 16u, 32)`],
    ["shfl_xor_sync has a lane mask", "shfl_xor_sync(u, u, 1)", "u32 shflXor.u32(u, u, 1, 32)"],
    ["a mask of -1 is all lanes", "shfl_sync(-1, n, 0)", `i32 shfl.i32(${all}, n, 0, 32)`],
    ["ballot_sync gives the lanes as u32", "ballot_sync(0xffffffff, n > 0)", `u32 ballot.u32(${all}, (n > 0))`],
    ["ballot_sync asks an integer for not zero", "ballot_sync(0xffffffff, n)", `u32 ballot.u32(${all}, (n != 0))`],
    ["any_sync gives a truth value", "any_sync(0xffffffff, n > 0)", `bool any.bool(${all}, (n > 0))`],
    ["all_sync gives a truth value", "all_sync(0xffffffff, n > 0)", `bool all.bool(${all}, (n > 0))`],
    ["activemask takes nothing", "activemask()", "u32 activemask.u32()"],
    ["match_any_sync gives lanes", "match_any_sync(0xffffffff, l)", `u32 matchAny.u32(${all}, l)`],
    ["match_all_sync gives a mask", "match_all_sync(0xffffffff, n).mask", `u32 matchAll.u32(${all}, n)`],
    [
      "match_all_sync gives a predicate",
      "match_all_sync(0xffffffff, n).predicate",
      `bool matchAllPredicate.bool(${all}, n)`,
    ],
    ["reduce_add_sync keeps the type", "reduce_add_sync(0xffffffff, n)", `i32 reduceAdd.i32(${all}, n)`],
    ["reduce_max_sync keeps unsigned", "reduce_max_sync(0xffffffff, u)", `u32 reduceMax.u32(${all}, u)`],
    ["reduce_xor_sync works on bits", "reduce_xor_sync(0xffffffff, n)", `u32 reduceXor.u32(${all}, u32(n))`],
    ["laneId can be called", "laneId()", "u32 laneId.u32()"],
    ["syncthreadsCount counts", "syncthreadsCount(n > 0)", "i32 syncthreadsCount.i32((n > 0))"],
    ["syncthreadsAnd asks all", "syncthreadsAnd(n)", "bool syncthreadsAnd.bool((n != 0))"],
    ["syncthreadsOr asks any", "syncthreadsOr(n)", "bool syncthreadsOr.bool((n != 0))"],
  ]);

  bodies([
    ["syncwarp means all lanes", "syncwarp();", `syncwarp(${all})`],
    ["syncwarp takes a mask", "syncwarp(0xff);", "syncwarp(255u)"],
    ["the fences are statements", "threadfence(); threadfence_block();", "threadfence()\nthreadfenceBlock()"],
    [
      "match_all_sync's parts are taken by name",
      "const { mask, predicate } = match_all_sync(0xffffffff, n);",
      `let mask: u32 = matchAll.u32(${all}, n)\nlet predicate: bool = matchAllPredicate.bool(${all}, n)`,
    ],
    [
      "match_all_sync's result can be kept",
      "const r = match_all_sync(0xffffffff, n); words[0] = r.mask;",
      `let r_mask: u32 = matchAll.u32(${all}, n)\nlet r_predicate: bool = matchAllPredicate.bool(${all}, n)\nwords[0] = r_mask`,
    ],
  ]);
});

describe("atomics", () => {
  bodies([
    ["take array, index, value", "atomicAdd(output, n, 1);", "atomic.add.i32(output[n], 1)"],
    ["give the value before", "output[0] = atomicSub(output, 1, n);", "output[0] = atomic.sub.i32(output[1], n)"],
    ["add floats", "atomicAdd(floats, 0, n);", "atomic.add.f32(floats[0], f32(n))"],
    ["add doubles", "atomicAdd(doubles, 0, 0.1);", "atomic.add.f64(doubles[0], 0.1d)"],
    ["compare and swap in CUDA's order", "atomicCAS(output, 0, 1, 2);", "atomic.cas.i32(output[0], 1, 2)"],
    ["count round with a limit", "atomicInc(words, 0, 31);", "atomic.inc.u32(words[0], 31u)"],
    ["work on shared memory", "const s = shared(i32, 2); atomicMax(s, 1, n);", "atomic.max.i32(s[1], n)"],
    ["work on a tile's row", "const s = shared(i32, [2, 8]); atomicMin(s[1], n, 3);", "atomic.min.i32(s[(8 + n)], 3)"],
    ["work on a moved pointer", "atomicOr(words.subarray(4), 0, u);", "atomic.or.u32((words + 4)[0], u)"],
    ["exchange floats", "atomicExch(floats, 0, x);", "atomic.exch.f32(floats[0], x)"],
  ]);
});

describe("mathematical functions", () => {
  values([
    ["min takes the common type", "min(n, u & 7)", "u32 min.u32(u32(n), (u &u32 7u))"],
    ["max of floats", "max(x, 0)", "f32 max.f32(x, 0f)"],
    ["Math.max is max", "Math.max(n, 3)", "i32 max.i32(n, 3)"],
    ["Math.min takes more than two", "Math.min(n, 3, 5)", "i32 min.i32(min.i32(n, 3), 5)"],
    ["abs of an integer", "abs(n)", "i32 abs.i32(n)"],
    ["fabsf of a float", "fabsf(x)", "f32 abs.f32(x)"],
    ["sqrt keeps double", "sqrt(d)", "f64 sqrt.f64(d)"],
    ["sqrtf is the float version", "sqrtf(x)", "f32 sqrt.f32(x)"],
    ["an integer literal counts as float", "sqrt(2)", "f32 sqrt.f32(2f)"],
    ["rsqrt", "rsqrt(x)", "f32 rsqrt.f32(x)"],
    ["fma rounds once", "fma(x, x, 1)", "f32 fma.f32(x, x, 1f)"],
    ["pow", "pow(x, 2)", "f32 pow.f32(x, 2f)"],
    ["exp2", "exp2(x)", "f32 exp2.f32(x)"],
    ["__expf is the fast one", "__expf(x)", "f32 fastExp.f32(x)"],
    ["__fdividef is the fast one", "__fdividef(x, x)", "f32 fastDivide.f32(x, x)"],
    ["rint rounds to even", "rint(x)", "f32 rint.f32(x)"],
    ["Math.sqrt is sqrt", "Math.sqrt(x)", "f32 sqrt.f32(x)"],
    ["Math.fround is a cast", "Math.fround(d)", "f32 f32(d)"],
    ["Math.imul is a product of ints", "Math.imul(n, u)", "i32 (n * i32(u))"],
    ["Math.PI next to a double is exact", "d * Math.PI", `f64 (d *f64 ${Math.PI}d)`],
    ["popc counts bits of an unsigned", "popc(n)", "i32 popc.i32(u32(n))"],
    ["ffs", "ffs(n)", "i32 ffs.i32(n)"],
    ["clz", "clz(u)", "i32 clz.i32(i32(u))"],
    ["brev", "brev(u)", "u32 brev.u32(u)"],
    ["byte_perm", "byte_perm(u, u, 0x3210)", "u32 bytePerm.u32(u, u, 12816u)"],
    ["mulhi of ints is signed", "mulhi(n, n)", "i32 mulhi.i32(n, n)"],
    ["umulhi is unsigned", "umulhi(n, u)", "u32 mulhi.u32(u32(n), u)"],
    ["float_as_int", "float_as_int(x)", "i32 floatAsInt.i32(x)"],
    ["int_as_float", "int_as_float(n)", "f32 intAsFloat.f32(n)"],
    ["isnan", "isnan(x)", "bool isnan.bool(x)"],
    ["casts convert", "i32(x)", "i32 i32(x)"],
    ["a cast to its own type is nothing", "f32(x)", "f32 x"],
  ]);
});

describe("printf", () => {
  bodies([
    ["keeps its format", 'printf("hello %%\\n");', 'printf "hello %%\\n"'],
    ["passes ints and unsigned", 'printf("%d %u %x", n, u, n);', 'printf "%d %u %x", n, u, n'],
    ["passes %d an unsigned as it is", 'printf("%d", threadIdx.x);', 'printf "%d", threadIdx.x'],
    ["passes floats as doubles", 'printf("%f %.3e", x, d);', 'printf "%f %.3e", f64(x), d'],
    ["passes 64 bits to %lld and %llu", 'printf("%lld %llu", l, ul);', 'printf "%lld %llu", l, ul'],
    ["passes a truth value as an int", 'printf("%d", n > 0);', 'printf "%d", i32((n > 0))'],
    [
      "writes a text in quotes into the format",
      'printf("%-6s|%.2s|%4s %d", "50%", "abc", "x", n);',
      'printf "50%%   |ab|   x %d", n',
    ],
    ["takes a format in backquotes", "printf(`%d`, n);", 'printf "%d", n'],
  ]);
});

describe("cooperative groups", () => {
  const tile = "const block = this_thread_block(); const tile = tiled_partition(block, 16);";

  bodies([
    ["block.sync() is syncthreads", "this_thread_block().sync();", "syncthreads()"],
    ["grid.sync() waits for the grid", "const grid = this_grid(); grid.sync();", "gridSync()"],
    [
      "a whole warp syncs with all lanes",
      "const w = tiled_partition(this_thread_block(), 32); w.sync();",
      `syncwarp(${all})`,
    ],
    [
      "a smaller tile syncs with its own lanes",
      `${tile} tile.sync();`,
      "syncwarp((65535u <<u32 (laneId.u32() &u32 16u)))",
    ],
    ["tile.size() is known", `${tile} words[0] = tile.size();`, "words[0] = 16u"],
    [
      "tile.thread_rank() counts in the tile",
      `${tile} words[0] = tile.thread_rank();`,
      "words[0] = (laneId.u32() &u32 15u)",
    ],
    [
      "a tile's shuffle has its width",
      `${tile} output[0] = tile.shfl_down(n, 8);`,
      "output[0] = shflDown.i32((65535u <<u32 (laneId.u32() &u32 16u)), n, 8u, 16)",
    ],
    [
      "a tile's ballot starts at its first lane",
      `${tile} words[0] = tile.ballot(n > 0);`,
      "words[0] = ((ballot.u32((65535u <<u32 (laneId.u32() &u32 16u)), (n > 0)) >>u32 (laneId.u32() &u32 16u)) &u32 65535u)",
    ],
    [
      "tile.any asks its lanes",
      `${tile} output[0] = tile.any(n > 0);`,
      "output[0] = i32(any.bool((65535u <<u32 (laneId.u32() &u32 16u)), (n > 0)))",
    ],
    [
      "a grid's rank has 64 bits",
      "const g = this_grid(); const r = g.size();",
      "let r: u64 = (((u64(gridDim.x) *u64 u64(gridDim.y)) *u64 u64(gridDim.z)) *u64 ((u64(blockDim.x) *u64 u64(blockDim.y)) *u64 u64(blockDim.z)))",
    ],
    [
      "coalesced threads are the active mask when they are made",
      "const active = coalesced_threads(); words[0] = active.size();",
      "let active_mask: u32 = activemask.u32()\nwords[0] = u32(popc.i32(active_mask))",
    ],
    [
      "a coalesced rank counts the lanes below",
      "const a = coalesced_threads(); words[0] = a.thread_rank();",
      "let a_mask: u32 = activemask.u32()\nwords[0] = u32(popc.i32((a_mask &u32 ((1u <<u32 laneId.u32()) -u32 1u))))",
    ],
  ]);

  test("reduce with greater is a butterfly of max", () => {
    const ir = kernelOf(`${tile} output[0] = reduce(tile, n, greater);`);
    expect(printKernel(ir)).toContain("result = max.i32(result, other)");
  });

  test("an exclusive scan starts with the operator's neutral value", () => {
    const ir = kernelOf(`${tile} output[0] = exclusive_scan(tile, n, less);`);
    expect(printKernel(ir)).toContain("? 2147483647 : before)");
  });

  test("two reductions of one kind share a device function", () => {
    const ir = kernelOf(`${tile} output[0] = reduce(tile, n, plus); output[1] = reduce(tile, n + 1);`);
    expect(ir.functions.length).toBe(1);
  });

  test("no group function warns about itself", () => {
    const ir = kernelOf(
      `${tile} const a = coalesced_threads(); output[0] = inclusive_scan(tile, n) + exclusive_scan(a, n) + reduce(a, n) + a.shfl_down(n, 1); words[0] = a.ballot(n > 0);`,
    );
    expect(ir.warnings).toEqual([]);
  });
});

describe("launch", () => {
  bodies([
    [
      "of self takes arguments by position",
      "launch(self, { grid: [2, n], block: 32, shared: 64 }, [input, output, words, floats, doubles, longs, vectors, pairs, vol, n, u, x, d, l, ul]);",
      "launch self grid (2u, u32(n), 1u) block (32u, 1u, 1u) shared 64u (input, output, words, floats, doubles, longs, vectors, pairs, vol, n, u, x, d, l, ul)",
    ],
    ["deviceSynchronize is a statement", "deviceSynchronize();", "deviceSynchronize()"],
  ]);
});
