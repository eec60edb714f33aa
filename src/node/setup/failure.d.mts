export class PreparationError extends Error {}

/** A sentence about an error, without its stack. */
export function failureText(error: unknown): string;
