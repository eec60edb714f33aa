/** CUDA's words as one object: the second argument of a kernel in its long form. */
import type * as words from "./words/index.js";

export type Cuda = typeof words;
