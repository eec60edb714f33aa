/** CUDA's words as one object: the second argument of a kernel in its long form. */
import type * as words from "./index.js";

export type Cuda = typeof words;
