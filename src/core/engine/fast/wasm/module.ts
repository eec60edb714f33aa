/** Assembles a WebAssembly module: an imported memory, imported functions, own functions, exports. */
import type { FunctionBody } from "./body.js";
import { ByteWriter } from "./bytes.js";
import { VALUE_TYPE, type ValueType } from "./opcodes.js";

export interface ImportedFunction {
  readonly name: string;
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
}

export interface MemoryImport {
  readonly shared: boolean;
  readonly maximumPages: number;
}

const SECTION = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const;

/** Imported functions and own functions are numbered apart; `encode` puts the imported ones first. */
export class ModuleBuilder {
  private readonly imports: ImportedFunction[] = [];
  private readonly bodies: (FunctionBody | null)[] = [];
  private readonly exports: { name: string; index: number }[] = [];
  private readonly importIndex = new Map<string, number>();

  constructor(private readonly memory: MemoryImport) {}

  /** Index of an imported function, declared at its first use. */
  import(imported: ImportedFunction): number {
    const known = this.importIndex.get(imported.name);
    if (known !== undefined) return known;
    this.imports.push(imported);
    this.importIndex.set(imported.name, this.imports.length - 1);
    return this.imports.length - 1;
  }

  get importedNames(): readonly string[] {
    return this.imports.map((imported) => imported.name);
  }

  /** A place for an own function, filled by `define`. */
  declare(): number {
    this.bodies.push(null);
    return this.bodies.length - 1;
  }
  define(index: number, body: FunctionBody, exportName?: string): void {
    this.bodies[index] = body;
    if (exportName !== undefined) this.exports.push({ name: exportName, index });
  }

  encode(): Uint8Array {
    const out = new ByteWriter();
    out.bytes([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);
    const imports = this.imports;
    const types: string[] = [];
    const typeBytes: ByteWriter[] = [];
    const typeIndex = (params: readonly ValueType[], results: readonly ValueType[]): number => {
      const key = `${params.join()}>${results.join()}`;
      const known = types.indexOf(key);
      if (known >= 0) return known;
      const bytes = new ByteWriter();
      bytes.byte(0x60);
      for (const list of [params, results]) {
        bytes.u32(list.length);
        for (const type of list) bytes.byte(VALUE_TYPE[type]);
      }
      typeBytes.push(bytes);
      return types.push(key) - 1;
    };
    const bodies = this.bodies.map((body) => {
      if (body === null) throw new Error("a declared function was not defined");
      return body;
    });
    const importTypes = imports.map((imported) => typeIndex(imported.params, imported.results));
    const bodyTypes = bodies.map((body) => typeIndex(body.params, body.results));

    const section = (id: number, count: number, fill: (bytes: ByteWriter) => void): void => {
      const content = new ByteWriter();
      content.u32(count);
      fill(content);
      out.byte(id);
      out.u32(content.length);
      out.append(content);
    };
    section(SECTION.type, typeBytes.length, (bytes) => {
      for (const type of typeBytes) bytes.append(type);
    });
    section(SECTION.import, imports.length + 1, (bytes) => {
      bytes.name("host");
      bytes.name("memory");
      bytes.byte(0x02);
      bytes.byte(this.memory.shared ? 0x03 : 0x01);
      bytes.u32(0);
      bytes.u32(this.memory.maximumPages);
      imports.forEach((imported, index) => {
        bytes.name("host");
        bytes.name(imported.name);
        bytes.byte(0x00);
        bytes.u32(importTypes[index] ?? 0);
      });
    });
    section(SECTION.function, bodies.length, (bytes) => {
      for (const type of bodyTypes) bytes.u32(type);
    });
    section(SECTION.export, this.exports.length, (bytes) => {
      for (const { name, index } of this.exports) {
        bytes.name(name);
        bytes.byte(0x00);
        bytes.u32(imports.length + index);
      }
    });
    section(SECTION.code, bodies.length, (bytes) => {
      for (const body of bodies) bytes.append(body.encode());
    });
    return out.toBytes(imports.length);
  }
}
