/** The calibration as tables. */
import { signedPercent } from "../../../core/show/number-format.js";
import { type Table, table } from "../../../core/show/table.js";
import type { Calibration } from "./calibrate.js";

const error = { align: "right", format: signedPercent } as const;
const value = { align: "right", format: { significant: 4 } } as const;

export function calibrationTables({ rows, groups }: Calibration): readonly [rows: Table, groups: Table] {
  return [
    table({
      title: "Microbenchmarks",
      note: "Measured: test/reference/h200/micro/extra.json, of an H200; test/reference/published/gpu-stream.json and published/gpu-small-kernels.json, of others. The greatest error comes first.",
      columns: [
        { key: "group", title: "Group" },
        { key: "id", title: "Microbenchmark" },
        { key: "simulated", title: "Simulated", ...value },
        { key: "measured", title: "Measured", ...value },
        { key: "unit", title: "Unit" },
        { key: "errorPercent", title: "Error", ...error },
      ],
      rows,
    }),
    table({
      title: "By group",
      columns: [
        { key: "group", title: "Group" },
        { key: "rows", title: "Rows" },
        {
          key: "meanAbsolutePercent",
          title: "Mean absolute error",
          unit: "%",
          align: "right",
          format: { decimals: 1 },
        },
        { key: "worstPercent", title: "Worst", ...error },
        { key: "worstRow", title: "Worst microbenchmark" },
      ],
      rows: groups,
    }),
  ];
}
