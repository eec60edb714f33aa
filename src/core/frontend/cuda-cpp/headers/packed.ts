/**
 * Functions on integers that hold two or four numbers, as C++. A GPU has an instruction for some of them. A text that names one
 * includes this header.
 */

/** The names that bring the header in. */
export const PACKED_NAMES: RegExp = /\b__(?:dp[24]a\w*|v(?:add|sub|absdiff|abs|max|min|avg|cmp\w+|set\w+)\w*[24])\b/;

const LANES = { "4": ["unsigned char", "signed char", 8], "2": ["unsigned short", "short", 16] } as const;

const packed = Object.entries(LANES).flatMap(([lanes, [whole, signed, bits]]) => {
  const each = (name: string, of: string, value: string): string =>
    `__device__ inline unsigned ${name}(unsigned a, unsigned b) { unsigned r = 0; for (int i = 0; i < 32; i += ${bits}) { int x = (${of})(a >> i), y = (${of})(b >> i); r |= (unsigned)(${whole})(${value}) << i; } return r; }`;
  return [
    each(`__vadd${lanes}`, whole, "x + y"),
    each(`__vsub${lanes}`, whole, "x - y"),
    ...(
      [
        ["s", signed],
        ["u", whole],
      ] as const
    ).flatMap(([letter, of]) => [
      each(`__vmax${letter}${lanes}`, of, "x > y ? x : y"),
      each(`__vmin${letter}${lanes}`, of, "x < y ? x : y"),
      each(`__vabsdiff${letter}${lanes}`, of, "x > y ? x - y : y - x"),
      each(`__vcmpgt${letter}${lanes}`, of, "x > y ? -1 : 0"),
      each(`__vcmplt${letter}${lanes}`, of, "x < y ? -1 : 0"),
      each(`__vcmpge${letter}${lanes}`, of, "x >= y ? -1 : 0"),
      each(`__vcmple${letter}${lanes}`, of, "x <= y ? -1 : 0"),
    ]),
    each(`__vcmpeq${lanes}`, whole, "x == y ? -1 : 0"),
    each(`__vcmpne${lanes}`, whole, "x != y ? -1 : 0"),
  ];
});

/** The sum of products of bytes, and of bytes with halves of a word. */
const products = (
  [
    ["int", "signed char", "short"],
    ["unsigned", "unsigned char", "unsigned short"],
  ] as const
).flatMap(([type, byte, half]) => [
  `__device__ inline ${type} __dp4a(${type} a, ${type} b, ${type} c) { ${type} r = c; for (int i = 0; i < 32; i += 8) r += (${type})(${byte})(a >> i) * (${type})(${byte})(b >> i); return r; }`,
  ...(["lo", "hi"] as const).map(
    (part, index) =>
      `__device__ inline ${type} __dp2a_${part}(${type} a, ${type} b, ${type} c) { ${type} r = c; for (int i = 0; i < 2; i++) r += (${type})(${half})(a >> (16 * i)) * (${type})(${byte})(b >> (8 * i + ${16 * index})); return r; }`,
  ),
]);

const VECTORS = ["char", "uchar"].map((stem) => {
  const type = stem === "char" ? "int" : "unsigned";
  const word = (v: string): string =>
    `(${type})((unsigned)(unsigned char)${v}.x | (unsigned)(unsigned char)${v}.y << 8 | (unsigned)(unsigned char)${v}.z << 16 | (unsigned)(unsigned char)${v}.w << 24)`;
  return `__device__ inline ${type} __dp4a(${stem}4 a, ${stem}4 b, ${type} c) { return __dp4a(${word("a")}, ${word("b")}, c); }`;
});

export const PACKED: string = ["#pragma once", ...products, ...VECTORS, ...packed, ""].join("\n");
