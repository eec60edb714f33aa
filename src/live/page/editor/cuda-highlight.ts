/** CUDA C++ within cuda`...` in its own colours; loaded for the first cell that has some. */
import { cppLanguage } from "@codemirror/lang-cpp";
import { javascript, typescriptLanguage } from "@codemirror/lang-javascript";
import { LanguageSupport } from "@codemirror/language";
import { parseMixed } from "@lezer/common";
import { CUDA_TAG } from "../compiler.js";

const withCuda = typescriptLanguage.configure({
  wrap: parseMixed((node, input) => {
    if (node.name !== "TemplateString") return null;
    if (!CUDA_TAG.test(input.read(Math.max(0, node.from - 10), node.from))) return null;
    return { parser: cppLanguage.parser, overlay: [{ from: node.from + 1, to: Math.max(node.from + 1, node.to - 1) }] };
  }),
});

export const cudaInTypescript: LanguageSupport = new LanguageSupport(
  withCuda,
  javascript({ typescript: true }).support,
);
