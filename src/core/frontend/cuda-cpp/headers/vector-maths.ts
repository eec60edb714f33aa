/** helper_math.h of CUDA's samples by its calls: operators and functions of float2 to float4, and of int and uint vectors. */
const AXES = ["x", "y", "z", "w"] as const;
const KINDS = ["float", "int", "uint"] as const;
const SCALARS = { float: "float", int: "int", uint: "unsigned" } as const;

const IN = "inline __host__ __device__";

function vectorText(kind: (typeof KINDS)[number], lanes: 2 | 3 | 4): string {
  const [vector, scalar] = [`${kind}${lanes}`, SCALARS[kind]];
  const axes = AXES.slice(0, lanes);
  const each = (part: (axis: string) => string): string => `make_${vector}(${axes.map(part).join(", ")})`;
  const sum = (part: (axis: string) => string): string => axes.map(part).join(" + ");
  const operators = ["+", "-", "*", "/"].flatMap((op) => [
    `${IN} ${vector} operator${op}(${vector} a, ${vector} b) { return ${each((x) => `a.${x} ${op} b.${x}`)}; }`,
    `${IN} ${vector} operator${op}(${vector} a, ${scalar} b) { return ${each((x) => `a.${x} ${op} b`)}; }`,
    `${IN} ${vector} operator${op}(${scalar} a, ${vector} b) { return ${each((x) => `a ${op} b.${x}`)}; }`,
    `${IN} void operator${op}=(${vector}& a, ${vector} b) { ${axes.map((x) => `a.${x} ${op}= b.${x};`).join(" ")} }`,
    `${IN} void operator${op}=(${vector}& a, ${scalar} b) { ${axes.map((x) => `a.${x} ${op}= b;`).join(" ")} }`,
  ]);
  const [least, most] = kind === "float" ? ["fminf", "fmaxf"] : ["min", "max"];
  const extremes = [least, most].map(
    (name) => `${IN} ${vector} ${name}(${vector} a, ${vector} b) { return ${each((x) => `${name}(a.${x}, b.${x})`)}; }`,
  );
  const clamped = (low: string, high: string) => (x: string) =>
    `${most}(${low}${low === "a" ? "" : `.${x}`}, ${least}(v.${x}, ${high}${high === "b" ? "" : `.${x}`}))`;
  const shared = [
    ...operators,
    ...extremes,
    `${IN} ${vector} make_${vector}(${scalar} s) { return ${each(() => "s")}; }`,
    `${IN} ${scalar} dot(${vector} a, ${vector} b) { return ${sum((x) => `a.${x} * b.${x}`)}; }`,
    `${IN} ${vector} clamp(${vector} v, ${scalar} a, ${scalar} b) { return ${each(clamped("a", "b"))}; }`,
    `${IN} ${vector} clamp(${vector} v, ${vector} low, ${vector} high) { return ${each(clamped("low", "high"))}; }`,
  ];
  if (kind === "uint") return shared.join("\n");
  const negative = `${IN} ${vector} operator-(${vector} a) { return ${each((x) => `-a.${x}`)}; }`;
  if (kind === "int") {
    const abs = `${IN} ${vector} abs(${vector} v) { return ${each((x) => `v.${x} < 0 ? -v.${x} : v.${x}`)}; }`;
    return [...shared, negative, abs].join("\n");
  }
  const steps = (x: string): string => `smoothstep(a.${x}, b.${x}, v.${x})`;
  return [
    ...shared,
    negative,
    `${IN} float length(${vector} v) { return sqrtf(dot(v, v)); }`,
    `${IN} ${vector} normalize(${vector} v) { return v * rsqrtf(dot(v, v)); }`,
    `${IN} ${vector} lerp(${vector} a, ${vector} b, float t) { return a + t * (b - a); }`,
    `${IN} ${vector} reflect(${vector} v, ${vector} n) { return v - 2.0f * n * dot(n, v); }`,
    `${IN} ${vector} floorf(${vector} v) { return ${each((x) => `floorf(v.${x})`)}; }`,
    `${IN} ${vector} fracf(${vector} v) { return ${each((x) => `v.${x} - floorf(v.${x})`)}; }`,
    `${IN} ${vector} fabs(${vector} v) { return ${each((x) => `fabsf(v.${x})`)}; }`,
    `${IN} ${vector} fmodf(${vector} a, ${vector} b) { return ${each((x) => `fmodf(a.${x}, b.${x})`)}; }`,
    `${IN} ${vector} smoothstep(${vector} a, ${vector} b, ${vector} v) { return ${each(steps)}; }`,
  ].join("\n");
}

/** A vector of another number of components: what is cut off, and what is 0 or given. */
const conversions = KINDS.flatMap((kind) => {
  const scalar = SCALARS[kind];
  const others = KINDS.filter((other) => other !== kind);
  const of = (lanes: number, from: string): string[] =>
    others.map((other) => {
      const parts = AXES.slice(0, lanes).map((x) => `(${scalar})${from}.${x}`);
      return `${IN} ${kind}${lanes} make_${kind}${lanes}(${other}${lanes} ${from}) { return make_${kind}${lanes}(${parts.join(", ")}); }`;
    });
  return [
    `${IN} ${kind}2 make_${kind}2(${kind}3 a) { return make_${kind}2(a.x, a.y); }`,
    `${IN} ${kind}3 make_${kind}3(${kind}2 a) { return make_${kind}3(a.x, a.y, 0); }`,
    `${IN} ${kind}3 make_${kind}3(${kind}2 a, ${scalar} z) { return make_${kind}3(a.x, a.y, z); }`,
    `${IN} ${kind}3 make_${kind}3(${kind}4 a) { return make_${kind}3(a.x, a.y, a.z); }`,
    `${IN} ${kind}4 make_${kind}4(${kind}3 a) { return make_${kind}4(a.x, a.y, a.z, 0); }`,
    `${IN} ${kind}4 make_${kind}4(${kind}3 a, ${scalar} w) { return make_${kind}4(a.x, a.y, a.z, w); }`,
    ...[2, 3, 4].flatMap((lanes) => of(lanes, "a")),
  ];
});

const PLAIN = `
${IN} float lerp(float a, float b, float t) { return a + t * (b - a); }
${IN} float clamp(float v, float a, float b) { return fmaxf(a, fminf(v, b)); }
${IN} int clamp(int v, int a, int b) { return max(a, min(v, b)); }
${IN} unsigned clamp(unsigned v, unsigned a, unsigned b) { return max(a, min(v, b)); }
${IN} float fracf(float v) { return v - floorf(v); }
${IN} float smoothstep(float a, float b, float x) { float y = clamp((x - a) / (b - a), 0.0f, 1.0f); return y * y * (3.0f - 2.0f * y); }
`;

export const VECTOR_MATHS: string = [
  "#pragma once",
  "#include <cuda_runtime.h>",
  PLAIN,
  ...conversions,
  ...KINDS.flatMap((kind) => ([2, 3, 4] as const).map((lanes) => vectorText(kind, lanes))),
  `${IN} float3 cross(float3 a, float3 b) { return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }`,
  "",
].join("\n");
