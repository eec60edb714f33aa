/** CUDA's functions of scalars by name. */
import { COMMON_FUNCTIONS, type ScalarFunction, taking } from "../text/cuda-functions.js";

export const SCALAR_FUNCTIONS: ReadonlyMap<string, ScalarFunction> = new Map([
  ...COMMON_FUNCTIONS,
  ...taking("f64", ["f64"], { fabs: "abs" }),
  ...taking("f64", ["f64", "f64"], { fmin: "min", fmax: "max" }),
]);
