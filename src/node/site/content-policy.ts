/**
 * The pages may load and run the site's own files, no others: so says their Content-Security-Policy.
 * Source: "Content Security Policy Level 3" (https://www.w3.org/TR/CSP3/).
 */
import { createHash } from "node:crypto";

/** The folder, beside the notebooks' pages, of what runs scripts of a notebook's own. */
export const FRAMES_FOLDER = "frames";

/** The pages' policy. Plotly sets styles on its elements, and draws a picture to be saved from a blob. */
export function pagePolicy(): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; ");
}

/** A frame's policy: its own scripts, on no origin, and nothing from elsewhere. */
export function framePolicy(): string {
  return [
    "sandbox allow-scripts",
    "default-src 'none'",
    "script-src 'unsafe-inline' 'unsafe-eval'",
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "font-src data:",
  ].join("; ");
}

/** The page, in its folder of assets, whose worker runs the reader's cells. */
export const SESSION_PAGE = "session.html";

/** Its policy: a cell's code is evaluated there, on no origin, and reaches no address. */
export function sessionPolicy(): string {
  return [
    "sandbox allow-scripts",
    "default-src 'none'",
    "script-src 'unsafe-inline' 'unsafe-eval' blob:",
    "worker-src blob:",
  ].join("; ");
}

/**
 * The policy of a page that the browser keeps. Its session's frame is a text of the page, and has the page's policy beside its own.
 * So this one lets through what starts the worker, and what the worker does. The page itself evaluates nothing.
 * @param start the frame's script
 */
export function keptPagePolicy(start: string): string {
  const hash = createHash("sha256").update(start).digest("base64");
  return pagePolicy().replace("script-src 'self'", `script-src 'self' 'unsafe-eval' blob: 'sha256-${hash}'`);
}

/** The same for a page's own text, which counts where the page is opened as a file. Some parts are for headers alone. */
export function withoutHeaderOnly(policy: string): string {
  return policy
    .split("; ")
    .filter((part) => !/^(sandbox|frame-ancestors)\b/.test(part))
    .join("; ");
}
