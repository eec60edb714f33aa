/** Colours of the pictures: Okabe and Ito's, told apart by readers with any common colour blindness. */

/** Okabe, Ito: "Color Universal Design" (2008), in the order in which series take them. */
export const okabeIto = {
  blue: "#0072B2",
  vermillion: "#D55E00",
  green: "#009E73",
  orange: "#E69F00",
  purple: "#CC79A7",
  sky: "#56B4E9",
  yellow: "#F0E442",
  black: "#000000",
} as const;

/** Series colours; the two that are pale on white paper stand last, black is left out (it would vanish on dark pages). */
export const seriesColors: readonly string[] = [
  okabeIto.blue,
  okabeIto.vermillion,
  okabeIto.green,
  okabeIto.purple,
  okabeIto.orange,
  okabeIto.sky,
  okabeIto.yellow,
];

/** Lines that guide the eye (diagonals, roofs): readable on white and on near-black. */
export const guideColor = "#808080";

/** Cyclic choice of a series' colour. */
export function seriesColor(index: number): string {
  return seriesColors[index % seriesColors.length] ?? okabeIto.blue;
}

/** Black or white, whichever reads better on `color` (`#rrggbb`), by WCAG's relative luminance. */
export function textOn(color: string): string {
  const channel = (at: number): number => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  return luminance > 0.179 ? "#000000" : "#ffffff";
}

/** One hue from pale to dark for quantities; `share` in 0..1. */
export function sequentialColor(share: number): string {
  const pale = [222, 235, 247] as const;
  const dark = [8, 48, 107] as const;
  const at = Math.min(1, Math.max(0, share));
  const hex = (index: 0 | 1 | 2): string =>
    Math.round(pale[index] + (dark[index] - pale[index]) * at)
      .toString(16)
      .padStart(2, "0");
  return `#${hex(0)}${hex(1)}${hex(2)}`;
}
