/** Whole numbers that a command's options give. */
import { InputError } from "../../core/base/errors.js";

/**
 * @param name of the option, without its dashes
 * @param text undefined where the option is not given
 * @param otherwise the value of an option that is not given
 * @throws InputError for any other text
 */
export function wholeNumber<T>(
  name: string,
  text: string | undefined,
  otherwise: T,
  { least, most = Number.MAX_SAFE_INTEGER }: { readonly least: number; readonly most?: number },
): number | T {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text.trim() !== "" && Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} on` : `${least} to ${most}`;
  throw new InputError({ what: `--${name} is ${text}.`, cure: `Give a whole number from ${range}.` });
}
