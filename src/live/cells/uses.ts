/** Which cells a cell builds on: it is run after those that declare its names. */

/** Declarations begin a line. A cell of any other layout is found by "Run above". */
const DECLARATION =
  /^(?:export )?(?:declare )?(?:const|let|var|(?:async )?function\*?|class|enum)\s+(\{[^}]*\}|\[[^\]]*\]|[\w$]+)/gm;
const FURTHER = /^(?:const|let|var)\s[^=;]*,\s*([\w$]+)\s*[;=]/gm;
const IMPORT = /^import\s+(?:type\s+)?\{([^}]*)\}/gm;

const words = (text: string): readonly string[] => text.match(/[\w$]+/g) ?? [];

function declared(source: string): ReadonlySet<string> {
  const lists = [DECLARATION, FURTHER, IMPORT].flatMap((form) =>
    [...source.matchAll(form)].map(([, list = ""]) => list),
  );
  return new Set(lists.flatMap(words));
}

/**
 * @param sources the page's cells, in order
 * @param at the cell that is to run
 * @param isRun whether the session has run a cell as it stands now
 * @returns the cells to run, in order, that one last
 */
export function withUsed(sources: readonly string[], at: number, isRun: (cell: number) => boolean): readonly number[] {
  const found = new Set<number>();
  const visit = (cell: number): void => {
    if (found.has(cell)) return;
    found.add(cell);
    const own = declared(sources[cell] ?? "");
    for (const word of new Set(words(sources[cell] ?? ""))) {
      for (let before = cell - 1; before >= 0; before--) {
        if (!declared(sources[before] ?? "").has(word)) continue;
        // What a cell imports itself needs nobody else's import.
        if (!own.has(word) && !isRun(before)) visit(before);
        break;
      }
    }
  };
  visit(at);
  return [...found].sort((a, b) => a - b);
}

/** @returns the cells behind `at` that build on it, in order */
export function usersOf(sources: readonly string[], at: number): readonly number[] {
  return [...sources.keys()].filter((cell) => cell > at && withUsed(sources, cell, () => false).includes(at));
}
