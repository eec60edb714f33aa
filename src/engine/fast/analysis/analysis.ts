/** All that is known of a program before code is made for one block shape. */
import type { Program, RegisterType } from "../../../lower/program.js";
import { AddressOrder } from "./addressOrder.js";
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
  const found = new Set<Web>();
  let size = -1;
  while (size !== found.size) {
    size = found.size;
    for (const { pc, op, root } of program.instructions) {
      const source = table.src[pc]!.find((web) => web?.type === "addr");
      if (op === "addr" ? root?.kind === "param" : source != null && found.has(source)) {
        for (const web of table.dst[pc]!) if (web.type === "addr") found.add(web);
      }
      // A pointer that is only ever used for global memory, but starts as 0.
      if (root?.kind === "param" && source != null) found.add(source);
    }
  }
  return found;
}
