/** All that is known of a program before code is made for one block shape. */
import type { Program, RegisterType } from "../../../lower/program.js";
import { AddressOrder } from "./addressOrder.js";
import { Unsupported } from "../unsupported.js";
import { findAlignments } from "./alignment.js";
import { findLiveness, type Liveness } from "./liveness.js";
import { type LaunchShape, Ranges } from "./range.js";
import { ShapeFinder, type ShapeTable } from "./shapes.js";
import { type BlockStructure, findStructure } from "./structure.js";
import { findWebs, type Web, type WebTable } from "./webs.js";

/** How a value is kept in WebAssembly. */
export type Storage = "i32" | "i64" | "f32" | "f64";

export interface Analysis {
  readonly program: Program;
  readonly shape: LaunchShape;
  readonly table: WebTable;
  readonly liveness: Liveness;
  readonly structure: BlockStructure;
  readonly ranges: Ranges;
  readonly shapes: ShapeTable;
  readonly order: AddressOrder;
  /** A power of two up to 16 that divides the addresses of the load, store or atomic at `pc`. */
  alignmentOf(pc: number): number;
  storageOf(web: Web): Storage;
  /** Storage of a value of `type`; an address needs its space. */
  storage(type: RegisterType): Storage;
}

export function analyse(program: Program, shape: LaunchShape): Analysis {
  const table = findWebs(program);
  const liveness = findLiveness(program, table);
  const structure = findStructure(program);
  const ranges = new Ranges(program, table, shape);
  const shapes = new ShapeFinder(program, table, liveness, structure, ranges, shape);
  const globalAddresses = findGlobalAddresses(program, table);
  const storage = (type: RegisterType): Storage => {
    switch (type) {
      case "f32":
      case "f64":
        return type;
      case "i64":
      case "u64":
        return "i64";
      default:
        return "i32";
    }
  };
  return {
    program,
    shape,
    table,
    liveness,
    structure,
    ranges,
    shapes,
    order: new AddressOrder(program, table, ranges),
    alignmentOf: findAlignments(program, table, shape.paramAlignment),
    storage,
    storageOf: (web) => (web.type === "addr" && globalAddresses.has(web) ? "i64" : storage(web.type)),
  };
}

/** Global addresses have 64 bits; shared and local ones count from the block's or thread's own start in 32 bits. */
function findGlobalAddresses(program: Program, table: WebTable): ReadonlySet<Web> {
  const global = new Set<Web>();
  const small = new Set<Web>();
  let size = -1;
  while (size !== global.size + small.size) {
    size = global.size + small.size;
    for (const { pc, op, root } of program.instructions) {
      const source = table.src[pc]!.find((web) => web?.type === "addr") ?? null;
      const own = root === undefined ? null : root.kind === "param" ? global : small;
      const made = table.dst[pc]!.filter((web) => web.type === "addr");
      // A pointer has one space, which its uses tell too where it starts as 0.
      if (own !== null) {
        if (source !== null) own.add(source);
        if (op === "addr") for (const web of made) own.add(web);
      } else if (source !== null) {
        for (const space of [global, small]) {
          if (space.has(source)) for (const web of made) space.add(web);
          if (made.some((web) => space.has(web))) space.add(source);
        }
      }
    }
  }
  for (const web of global) if (small.has(web)) throw new Unsupported("a pointer that may be of two memory spaces");
  return global;
}
