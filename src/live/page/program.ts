/** The text of the session's worker, loaded once a page. */
let loaded: Promise<string> | null = null;

async function load(folder: string): Promise<string> {
  const response = await fetch(`${folder}worker.js`);
  if (!response.ok) throw new Error(`${folder}worker.js is not there (${response.status}). Load the page again.`);
  return response.text();
}

/** @throws Error where it cannot be had; the next call tries again */
export function loadProgram(folder: string): Promise<string> {
  loaded ??= load(folder).catch((problem: unknown) => {
    loaded = null;
    throw problem instanceof TypeError ? new Error("There is no connection. Try again when there is one.") : problem;
  });
  return loaded;
}
