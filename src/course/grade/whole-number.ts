/** Whole numbers that a command's options give. */
import { InputError } from "../../base/errors.js";

/**
 * @param name of the option, without its dashes
 * @throws InputError for any other text
 */
export function wholeNumber(
  name: string,
  text: string,
  { least, most = Number.MAX_SAFE_INTEGER }: { readonly least: number; readonly most?: number },
): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} on` : `${least} to ${most}`;
  throw new InputError({ what: `--${name} is ${text}.`, cure: `Give a whole number from ${range}.` });
}
