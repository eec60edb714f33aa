import { afterAll, describe, expect, test, vi } from "vitest";
import { CompileError } from "../../../src/core/base/errors.js";
import { absentRows } from "../../../src/core/frontend/text/absent-words.js";
import { refusedOperators, refusedSyntax } from "../../../src/core/frontend/text/refused.js";
import { type CureCase, cureCases } from "./cures.js";
import { type RefusalSite, refusalSites, siteOf } from "./refusal-sites.js";

function refusalOf({ before }: CureCase): CompileError {
  try {
    before();
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
  throw new Error("The text was accepted.");
}

const numbered = cureCases.map((one, index): readonly [string, CureCase] => [`${index}: ${one.cure}`, one]);

// The frames of the package say which place refuses a text; the cases are compiled where this file is read.
vi.hoisted(() => vi.stubEnv("WARPLAB_STACK", "1"));
afterAll(() => void vi.unstubAllEnvs());

describe("a refused text compiles once its cure is followed", () => {
  test.each(numbered)("%s", (_, one) => {
    expect(refusalOf(one).cure).toContain(one.cure);
    expect(one.after).not.toThrow();
  });
});

describe("the cases are complete:", () => {
  const sites = refusalSites();
  const refusals = cureCases.flatMap((one) => {
    try {
      return [refusalOf(one)];
    } catch {
      return [];
    }
  });
  const curesAt = new Map<RefusalSite, string[]>();
  for (const error of refusals) {
    const site = siteOf(error, sites);
    if (site !== undefined) curesAt.set(site, [...(curesAt.get(site) ?? []), error.cure]);
  }
  const allCures = refusals.map(({ cure }) => cure);
  test("every place of the front end and the lowering that refuses a text is reached, with each of its cures", () => {
    const missing = sites.flatMap((site) => {
      const cures = site.isShared ? allCures : (curesAt.get(site) ?? []);
      const left = site.pieces.filter((piece) => !cures.some((cure) => cure.includes(piece.trim())));
      return left.length === 0 ? [] : [`${site.file}:${site.firstLine} ${JSON.stringify(left)}`];
    });
    expect(missing).toEqual([]);
  });

  test("every row of the words that the language does not have has its case", () => {
    const without = absentRows.filter(([, cure]) => {
      const [start = ""] = cure.split("$");
      return !allCures.some((given) => given.startsWith(start));
    });
    expect(without).toEqual([]);
  });

  test("every construct of JavaScript that is refused has its case", () => {
    const whats = new Set(refusals.map(({ what }) => what));
    const rows = [...Object.entries(refusedSyntax), ...Object.entries(refusedOperators)];
    expect(rows.filter(([, { what }]) => !whats.has(what)).map(([name]) => name)).toEqual([]);
  });
});
