/** All that is known of a program before code is made for one block shape. */
import type { Program, RegisterType } from "../../../lower/program.js";
import { AddressOrder } from "./address-order.js";
import { findWideAddresses } from "./address-width.js";
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
  const wideAddresses = findWideAddresses(program, table, ranges);
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
    storageOf: (web) => (web.type === "addr" && wideAddresses.has(web) ? "i64" : storage(web.type)),
  };
}
