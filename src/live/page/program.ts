/** The texts that a session begins from, loaded once a page. */
export interface SessionProgram {
  /** The worker's. */
  readonly worker: string;
  /** The address of the frame's page. */
  readonly frame: string;
  /** The frame's page itself, where a service worker answers for the site; else null. */
  readonly keptFrame: string | null;
}

let loaded: Promise<SessionProgram> | null = null;

async function textOf(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} is not there (${response.status}). Load the page again.`);
  return response.text();
}

async function load(folder: string): Promise<SessionProgram> {
  const frame = `${folder}session.html`;
  const isKept = (navigator.serviceWorker?.controller ?? null) !== null;
  const [worker, keptFrame] = await Promise.all([textOf(`${folder}worker.js`), isKept ? textOf(frame) : null]);
  return { worker, frame, keptFrame };
}

/** @throws Error where it cannot be had; the next call tries again */
export function loadProgram(folder: string): Promise<SessionProgram> {
  loaded ??= load(folder).catch((problem: unknown) => {
    loaded = null;
    throw problem instanceof TypeError ? new Error("There is no connection. Try again when there is one.") : problem;
  });
  return loaded;
}
