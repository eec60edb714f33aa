/**
 * Says how far a run is, one line an event. It adds a line after a silence, so that a long step does not look like a hang.
 * It is plain JavaScript because it must run before anything is installed or built.
 */

/** Silence after which the current work is named again; a run promises at most 2000 ms. */
const SILENCE_MILLISECONDS = 1500;

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * @param {(text: string) => void} write where the lines go
 */
export function createProgress(write = (text) => process.stdout.write(text)) {
  /** @type {Map<string, {begun: number, detail: () => string}>} */
  const running = new Map();
  let timer;

  const say = (line) => {
    write(`${line}\n`);
    timer?.refresh();
  };

  const remind = () => {
    const now = Date.now();
    const parts = [...running].map(([label, work]) => `${label}${work.detail()} … ${seconds(now - work.begun)}`);
    say(`  ${parts.join("; ")}`);
  };

  return {
    say,
    /**
     * Runs `work` and names it every 1.5 s while it lasts.
     * @template T
     * @param {string} label
     * @param {() => Promise<T>} work
     * @param {() => string} detail what to add to the label now, for instance the cell that runs
     * @returns {Promise<T>}
     */
    async during(label, work, detail = () => "") {
      running.set(label, { begun: Date.now(), detail });
      timer ??= setInterval(remind, SILENCE_MILLISECONDS);
      try {
        return await work();
      } finally {
        running.delete(label);
        if (running.size === 0) {
          clearInterval(timer);
          timer = undefined;
        }
      }
    },
  };
}
