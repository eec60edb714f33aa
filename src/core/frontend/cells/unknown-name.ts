/** Names on the host that nothing declares: a C type, a word that is not imported, a name of a cell that has not run. */
import { nearest } from "../../base/nearest.js";
import { absentWord } from "../text/absent-words.js";
import { isCType, typeForC } from "./c-forms.js";

/**
 * What to do about a name that no cell has declared.
 * @param exported the names that a cell can import from warplab
 */
export function unknownNameCure(name: string, exported: readonly string[]): string {
  if (exported.includes(name)) return `Import it: import { ${name} } from "warplab";`;
  if (isCType(name) && name !== "void" && name !== "dim3") {
    const type = typeForC(name);
    return `Write ${type}: CUDA's ${name} is ${type} here.`;
  }
  const absent = absentWord(name);
  if (absent !== undefined) return absent.cure.replace(/^Leave it to the host[:,] /, "Write ");
  const near = nearest(name, exported);
  const guess = near === null ? "" : `, or import ${near} from "warplab" if that is meant`;
  return `Run the cell that declares ${name} first${guess}.`;
}
