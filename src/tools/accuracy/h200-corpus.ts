/** The tables of kernels in CUDA C++ that were measured on an H200, as test/reference/h200/manifest.json lists them. */
import { readReference } from "./measured-table.js";

export interface CorpusTable {
  readonly id: string;
  readonly title: string;
  /** The CUDA C++ text, from test/reference. */
  readonly kernels: string;
  /** Its launches with their times and counters, from test/reference. */
  readonly measured: string;
  /** The card, the driver, the compiler and the clock. */
  readonly device: string;
  /** The time that two events around an empty kernel showed in the same session, after the same small memset. */
  readonly emptyKernelMs: number;
  /** Blocks differ, so every block of its launches is run. */
  readonly exact: boolean;
}

interface Manifest {
  readonly device: string;
  readonly tables: readonly (Omit<CorpusTable, "device" | "exact"> & Partial<CorpusTable>)[];
}

const FOLDER = "h200";

/** @throws InputError where the manifest is missing. */
export function h200Corpus(): readonly CorpusTable[] {
  const { device, tables } = readReference(`${FOLDER}/manifest.json`) as Manifest;
  return tables.map((table) => ({
    ...table,
    kernels: `${FOLDER}/${table.kernels}`,
    measured: `${FOLDER}/${table.measured}`,
    device: table.device ?? device,
    exact: table.exact ?? false,
  }));
}
