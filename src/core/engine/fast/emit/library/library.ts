/**
 * Functions that compiled kernels call for what is rare or long: made when first asked for. Also the imported ones:
 * elementary functions of one lane, faults, printf.
 */
import { FunctionBody } from "../../wasm/body.js";
import type { ModuleBuilder } from "../../wasm/module.js";
import type { ValueType } from "../../wasm/opcodes.js";

export interface LibraryFunction {
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
  readonly write: (body: FunctionBody, library: Library) => void;
}

export class Library {
  private readonly known = new Map<string, number>();

  constructor(private readonly module: ModuleBuilder) {}

  call(body: FunctionBody, wanted: LibraryFunction): void {
    let index = this.known.get(wanted.name);
    if (index === undefined) {
      index = this.module.declare();
      this.known.set(wanted.name, index);
      const own = new FunctionBody(wanted.params, wanted.results);
      wanted.write(own, this);
      this.module.define(index, own);
    }
    body.call(index);
  }

  callImport(body: FunctionBody, name: string, params: readonly ValueType[], results: readonly ValueType[]): void {
    body.callImport(this.module.import({ name, params, results }));
  }
}
