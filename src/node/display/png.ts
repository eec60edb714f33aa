/** A figure as PNG: drawn by `svg.ts`, turned into pixels by resvg with the bundled font, the same on every machine. */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { checkArgument, checkOptions, optional, type Shape, shape } from "../../core/base/shape.js";
import type { Figure } from "../../core/show/figures/figure.js";
import { figureShape } from "../../core/show/figures/figure.js";
import { lightTheme, toSvg } from "../../core/show/output/svg.js";
import { fontCovers, fontFamily } from "../../core/show/text-width.js";
import { indexedPng } from "./indexed-png.js";

interface ResvgModule {
  readonly Resvg: new (
    svg: string,
    options: {
      readonly font: {
        readonly loadSystemFonts: boolean;
        readonly fontFiles: readonly string[];
        readonly defaultFontFamily: string;
        readonly sansSerifFamily: string;
      };
      readonly fitTo: { readonly mode: "zoom"; readonly value: number };
    },
  ) => {
    render(): { readonly width: number; readonly height: number; readonly pixels: Uint8Array; asPng(): Uint8Array };
  };
}

let resvg: ResvgModule | undefined;

/** Loaded with the first picture: the module is a native add-on that programs without pictures need not load. */
function loadResvg(): ResvgModule {
  resvg ??= createRequire(import.meta.url)("@resvg/resvg-js") as ResvgModule;
  return resvg;
}

/** Regular and bold, as paths. */
function fontFiles(): string[] {
  const folder = join(dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")), "ttf");
  return [join(folder, "DejaVuSans.ttf"), join(folder, "DejaVuSans-Bold.ttf")];
}

const scaleShape: Shape = shape(
  "a number above 0, up to 8",
  (value) => typeof value === "number" && value > 0 && value <= 8,
);

export interface PngOptions {
  /** Pixels of the PNG per pixel of the layout, up to 8; default 2, for print and dense screens. */
  readonly scale?: number;
}

/** @throws InputError for an impossible scale; Error when resvg has no add-on for this platform. */
export function toPng(figure: Figure, options: PngOptions = {}): Uint8Array {
  checkArgument("toPng", "figure", figure, figureShape);
  checkOptions<PngOptions>("toPng", options, { scale: optional(scaleShape) });
  const scale = options.scale ?? 2;
  const svg = toSvg(figure, lightTheme);
  const { Resvg } = loadResvg();
  const picture = new Resvg(svg, {
    font: {
      // Only a text with characters beyond the bundled font (Chinese, say) makes the picture depend on the machine.
      loadSystemFonts: !fontCovers(svg.replaceAll("\n", " ")),
      fontFiles: fontFiles(),
      defaultFontFamily: fontFamily,
      sansSerifFamily: fontFamily,
    },
    fitTo: { mode: "zoom", value: scale },
  });
  const image = picture.render();
  return indexedPng(image.width, image.height, image.pixels) ?? image.asPng();
}
