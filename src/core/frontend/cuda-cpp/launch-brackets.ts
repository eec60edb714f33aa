/** Editors that take `<<<` for operators write `<< <` and `>> >`, which nvcc reads as a launch, and clang does not. */
const LAUNCH = /<<([ \t]*)<([^;"]{0,1000}?)>>([ \t]*)>(?=\s*\()/g;

/** The text with the brackets of launches joined; all else keeps its column. */
export function joinedBrackets(text: string): string {
  return text.replace(LAUNCH, "<<<$1$2>>>$3");
}
