import { more } from "./traps-of-records.js";

/**
 * What C++ does and a hasty reader gets wrong. Each body writes whole numbers to `out`, from `x` = -7, `u` = 3000000000 and
 * `f` = 2.75, which the compiler does not know. The same text is compiled by g++.
 */
export interface Trap {
  readonly name: string;
  /** Text before the kernel. */
  readonly before?: string;
  readonly body: string;
}

const own: readonly Trap[] = [
  {
    name: "switch_falls_through",
    body: "int r = 0; switch (x + 8) { case 1: r += 1; case 2: r += 10; break; case 3: r += 100; } out[0] = r;",
  },
  {
    name: "default_in_the_middle",
    body: "int r = 0; switch (x) { case 1: r = 1; break; default: r += 5; case 2: r += 20; break; case 3: r = 3; } out[0] = r;",
  },
  {
    name: "break_within_an_if_of_a_switch",
    body: "int r = 0; for (int i = 0; i < 5; i++) { switch (i) { case 1: if (x < 0) break; r += 100; case 2: r += 10; if (i == 2) continue; break; default: r += 1; } r += 1000; } out[0] = r;",
  },
  { name: "if_0", body: "out[0] = 1;\n#if 0\nout[0] = 2;\n#endif\n" },
  {
    name: "negative_template_argument",
    before: "template <int N> DEVICE int shifted(int v) { return (v + N) >> 1; }",
    body: "out[0] = shifted<-5>(x); out[1] = shifted<-5>(4);",
  },
  { name: "long_shift", body: "out[0] = 1L << 35 >> 32; out[1] = (1LL << (x + 47)) >> 3;" },
  { name: "octal", body: "out[0] = 010 + 0x10 + 0b10; out[1] = x + 017;" },
  {
    name: "default_template_argument",
    before: "template <int A, int B = A * 2> DEVICE int both() { return A + B; }",
    body: "out[0] = both<3>(); out[1] = both<3, 4>();",
  },
  {
    name: "double_literals",
    body: "float a = f; out[0] = BITS(a * 0.1); out[1] = BITS(double(a * 0.1f)); out[2] = BITS(1 / 3.0);",
  },
  {
    name: "unsigned_comparison",
    body: "out[0] = x < u; out[1] = x < 3u; out[2] = -1 > 1u; out[3] = x < (int)threadIdx.x;",
  },
  {
    name: "blockDim_is_unsigned",
    body: "out[0] = x < blockDim.x; out[1] = (x + blockDim.x) / 2; out[2] = threadIdx.x - 1 > 0;",
  },
  {
    name: "integer_promotion",
    body: "unsigned char a = 200, b = (unsigned char)(x + 107); out[0] = a + b; unsigned char c = a + b; out[1] = c; out[2] = ~a;",
  },
  {
    name: "char_is_signed",
    body: "char c = (char)(u >> 3); out[0] = c; signed char d = 200 + (x + 7); out[1] = d; out[2] = c >> 1;",
  },
  {
    name: "bytes_seen_as_ints",
    body: "char c[8] = {1, 2, 3, -4, 5}; out[0] = *(int*)c; *(short*)(c + 4) = (short)(x * 300); out[1] = c[4]; out[2] = c[5]; out[3] = ((unsigned short*)c)[1];",
  },
  {
    name: "text_in_an_array",
    body: 'char c[12] = "warp"; c[1] -= 32; int n = 0; while (c[n]) n++; out[0] = n; out[1] = c[1]; out[2] = c[0] * 256 + c[n]; const char* p = c + 2; out[3] = *p++; out[4] = *p; out[5] = p - c;',
  },
  {
    name: "truth_values_in_memory",
    body: "bool b[4] = {true, false}; b[2] = x; b[3] = u == 7; b[1] += 5; b[0] = b[0] & 2; out[0] = b[0] + b[1] * 10 + b[2] * 100 + b[3] * 1000; out[1] = sizeof b; out[2] = *(unsigned char*)(b + 2);",
  },
  {
    name: "a_struct_of_bytes",
    before: "struct Pixel { unsigned char r, g, b; }; struct Mixed { char c; short s; bool f; int i; };",
    body: "Pixel p[3] = {{1, 2, 3}, {250, 251, 252}}; p[2] = p[1]; p[2].g += 10; out[0] = p[2].r + p[2].g * 1000; out[1] = sizeof p; Mixed m = {-1, -300, true, x}; m.c--; m.s *= 200; out[2] = m.c; out[3] = m.s; out[4] = m.f + m.i; Mixed o = m; o.s++; out[5] = o.s - m.s;",
  },
  {
    name: "vectors_of_bytes",
    body: "__shared__ uchar4 s[2]; __shared__ short2 h[2]; __shared__ char2 c[2]; uchar4 v = make_uchar4(200, 2, x, 255); s[1] = v; v.x += 100; s[0] = v; uchar4 w = s[1]; out[0] = w.x + w.y * 1000 + w.z * 1000000LL; out[1] = s[0].x * 1000 + s[0].w; h[1] = make_short2(x, u); short2 g = h[1]; out[2] = g.x; out[3] = g.y; c[0] = make_char2(x, 100); c[1] = c[0]; char2 d = c[1]; out[4] = d.x * 1000 + d.y; out[5] = sizeof(uchar4) + sizeof(uchar3) * 10; h[0] = h[1]; out[6] = h[0].y;",
  },
  {
    name: "short_wraps",
    body: "short s = 32767; s++; out[0] = s; unsigned short t = 0; t--; out[1] = t; s = (short)(x * 9999); out[2] = s; s += 70000; out[3] = s;",
  },
  {
    name: "narrowing_stores",
    body: "int i = (int)(f * 100.f); long long l = u * 4LL; int j = (int)l; out[0] = i; out[1] = j; out[2] = (unsigned)l; out[3] = (short)u;",
  },
  {
    name: "signed_right_shift",
    body: "out[0] = x >> 1; out[1] = (unsigned)x >> 1; out[2] = (long long)x >> 2; out[3] = x / 2; out[4] = x % 4;",
  },
  {
    name: "unsigned_division",
    body: "out[0] = u / 7; out[1] = u % 7; out[2] = x / 3u; out[3] = (unsigned)x % 10u; out[4] = -x / 2;",
  },
  {
    name: "sizes",
    before: "struct Odd { char c; double d; short s; };",
    body: "out[0] = sizeof(Odd); out[1] = sizeof(int[3][4]); out[2] = sizeof(long); out[3] = sizeof('a'); out[4] = sizeof(1.0f * 2); out[5] = alignof(Odd); out[6] = sizeof(x) - 5 > 0;",
  },
  {
    name: "three_floats",
    before: "struct Three { float x, y, z; };",
    body: "Three a[4]; for (int i = 0; i < 4; i++) { a[i].x = i; a[i].y = f * i; a[i].z = x + i; } Three* p = a + 1; p++; out[0] = BITS(double(p->y)); out[1] = (int)p[1].z; out[2] = sizeof(a); out[3] = (int)(*p).x;",
  },
  {
    name: "pointer_difference",
    body: "int a[10]; for (int i = 0; i < 10; i++) a[i] = i * i; int* p = a + 2; int* q = a + 9; out[0] = q - p; out[1] = p < q; int s = 0; while (p != q) s += *p++; out[2] = s; out[3] = *--p;",
  },
  {
    name: "post_and_pre_increment",
    body: "int i = x; out[0] = i++; out[1] = ++i; out[2] = i-- - 1; out[3] = i; int a[4] = {0, 0, 0, 0}; int k = 0; a[k++] = 5; a[k++] += 6; out[4] = a[0] * 100 + a[1] * 10 + k;",
  },
  {
    name: "assignment_is_a_value",
    body: "int a, b, c; a = b = c = x; out[0] = a + b + c; out[1] = (a += 3) * 2; int n = 4, r = 0; while (n--) r = r * 10 + n; out[2] = r; out[3] = n;",
  },
  {
    name: "comma",
    body: "int r = 0; for (int i = 0, j = 10; i < j; i++, j -= 2) r += i * j; out[0] = r; out[1] = (r++, r * 2);",
  },
  {
    name: "right_side_first",
    body: "int i = 1; int a[4] = {1, 2, 3, 4}; a[i] = (i = 2) + 5; out[0] = a[1]; out[1] = a[2]; out[2] = i;",
  },
  {
    name: "short_circuit",
    body: "int n = 0; int r = (x > 0 && n++ > 0) || (++n == 1 && x < 0); out[0] = r; out[1] = n; out[2] = x < 0 || n++; out[3] = n;",
  },
  {
    name: "ternary_with_effects",
    body: "int a = 1, b = 2; int r = x < 0 ? a++ : b++; out[0] = r; out[1] = a; out[2] = b; out[3] = x > 0 ? 1 : 2.5 > f ? 7 : 8; (x < 0 ? a : b) = 50; out[4] = a; out[5] = b;",
  },
  {
    name: "mixed_ternary",
    body: "out[0] = BITS(x < 0 ? 1 : 2.5); out[1] = x < 0 ? -1 : 1u; unsigned r = x < 0 ? -1 : 1u; out[2] = r;",
  },
  {
    name: "macro_order",
    before: "#define ADD(a, b) a + b\n#define TWICE(v) v * 2\n#define NAME(n) value_##n\n#define TEXT 3",
    body: "int value_3 = 4; out[0] = TWICE(ADD(x, 3)); out[1] = ADD(1, 2) * 3; out[2] = NAME(3) + TEXT;",
  },
  {
    name: "references",
    before:
      "DEVICE void swap_them(int& a, int& b) { int t = a; a = b; b = t; }\nDEVICE int& larger(int& a, int& b) { return a > b ? a : b; }",
    body: "int a = x, b = 5; swap_them(a, b); out[0] = a * 10 + b; larger(a, b) = 99; out[1] = a + b; int& r = b; r -= 1; out[2] = b; int c[3] = {1, 2, 3}; swap_them(c[0], c[2]); out[3] = c[0];",
  },
  {
    name: "early_returns_and_pointers",
    before:
      "DEVICE int find(const int* a, int n, int v, int* tries) { for (int i = 0; i < n; i++) { ++*tries; if (a[i] == v) return i; } return -1; }",
    body: "int a[5] = {3, 1, 4, 1, 5}; int tries = 0; out[0] = find(a, 5, 4, &tries); out[1] = find(a + 1, 4, 9, &tries); out[2] = tries;",
  },
  {
    name: "struct_methods",
    before:
      "struct Pair { int a; float b; DEVICE Pair(int p, float q) : a(p), b(q) {} DEVICE Pair operator+(const Pair& o) const { return Pair(a + o.a, b * o.b); } DEVICE void grow(int n) { a += n; } DEVICE float sum() const { return a + b; } };",
    body: "Pair p(x, f), q = p + Pair(1, 2.f); q.grow(10); Pair s = q; s.a++; out[0] = q.a; out[1] = BITS(double(q.b)); out[2] = s.a; out[3] = BITS(double(s.sum()));",
  },
  {
    name: "template_types",
    before:
      "template <class T> DEVICE T half_of(T v) { return v / 2; }\ntemplate <class T, int N> struct Box { T v[N]; DEVICE T& at(int i) { return v[i]; } };",
    body: "out[0] = half_of(x); out[1] = BITS(double(half_of(f))); out[2] = half_of<unsigned>(u); Box<int, 3> b; for (int i = 0; i < 3; i++) b.at(i) = i * x; b.at(1)++; out[3] = b.v[1] + b.v[2];",
  },
  {
    name: "two_dimensions",
    body: "int a[3][4]; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) a[i][j] = i * 10 + j; int (*row)[4] = a + 1; out[0] = row[1][2]; out[1] = (&a[0][0])[5]; out[2] = *(*(a + 2) + 3); out[3] = sizeof(a[0]);",
  },
  {
    name: "partly_initialized",
    body: "int a[6] = {1, 2}; int s = 0; for (int i = 0; i < 6; i++) s = s * 3 + a[i]; out[0] = s; int m[2][3] = {{1}, {4, 5}}; out[1] = m[0][0] + m[0][2] + m[1][1] * 10; struct { int p, q; } r = {7}; out[2] = r.p + r.q;",
  },
  {
    name: "enumerations",
    before:
      "enum Color { RED, GREEN = 5, BLUE };\nenum class Mode : int { ON = 2, OFF };\ntemplate <class T> struct Wide { enum { value = sizeof(T) > 4, next }; };",
    body: "Color c = BLUE; out[3] = Wide<double>::value * 10 + Wide<int>::value; out[4] = Wide<double>::next; out[0] = c + RED; out[1] = (int)Mode::OFF; switch (c) { case GREEN: out[2] = 1; break; case BLUE: out[2] = 2; }",
  },
  {
    name: "constants_outside",
    before: "const int WIDTH = 12;\nconstexpr float SCALE = 0.5f;\n#define LIMIT (WIDTH - 2)",
    body: "out[0] = WIDTH * LIMIT; out[1] = BITS(double(f * SCALE)); const int own = WIDTH / 5; int a[own + 1]; a[own] = x; out[2] = a[2];",
  },
  {
    name: "shadowing",
    body: "int v = 1; { int v = 2; v += x; out[0] = v; } for (int v = 10; v < 11; v++) out[1] = v; out[2] = v; if (int w = x + 8) out[3] = w; else out[3] = -w;",
  },
  {
    name: "do_while_and_continue",
    body: "int i = 0, r = 0; do { i++; if (i % 2) continue; r += i; } while (i++ < 9); out[0] = r; out[1] = i; int k = 3; do k--; while (k > 0 && --k); out[2] = k;",
  },
  {
    name: "sixty_four_bits",
    body: "unsigned long long a = u; a *= a; out[0] = a; out[1] = a >> 40; long long b = (long long)x * 1000000007LL; out[2] = b % 1000; out[3] = b / 13; out[4] = (a ^ (a << 13)) & 0xffffffffffULL; out[5] = a > b;",
  },
  {
    name: "bit_tricks",
    body: "unsigned v = u; v ^= v << 13; v ^= v >> 17; v ^= v << 5; out[0] = v; out[1] = x & -x; out[2] = (v & 0xff00) >> 8; out[3] = !(v & 1) << 3; out[4] = ~x ^ 0xf0; bool odd = v & 4; out[5] = odd; odd = !odd + 3; out[6] = odd;",
  },
  {
    name: "float_to_int",
    body: "out[0] = (int)-f; out[1] = (int)(f + 0.5f); out[2] = (unsigned)(f * 1e9f); out[3] = (long long)(f * 1e12); float g = x; out[4] = BITS(double(g / 2)); out[5] = x / 2 * f; double d = u; out[6] = BITS(d / 7);",
  },
  {
    name: "casts_of_pointers",
    body: "int a[4] = {1, 2, 3, 4}; const long long* w = (const long long*)a; out[0] = w[1]; unsigned* p = (unsigned*)a + 1; *p = u; out[1] = a[1]; float g[2] = {1.5f, -2.f}; out[2] = *(int*)&g[1];",
  },
];

export const traps: readonly Trap[] = [...own, ...more];

const SHIM = `#include <cstdio>
#include <cstring>
struct Index { unsigned x, y, z; };
static const Index threadIdx = {0, 0, 0}, blockDim = {32, 1, 1};
static long long BITS(double d) { long long bits; memcpy(&bits, &d, 8); return bits; }
#define DEVICE inline
#define __shared__ static
struct alignas(4) uchar4 { unsigned char x, y, z, w; };
struct uchar3 { unsigned char x, y, z; };
struct alignas(4) short2 { short x, y; };
struct alignas(2) char2 { signed char x, y; };
static uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) { return {x, y, z, w}; }
static short2 make_short2(short x, short y) { return {x, y}; }
static char2 make_char2(signed char x, signed char y) { return {x, y}; }
`;

/** A program of g++ that prints 8 numbers for each trap. */
export function hostProgram(): string {
  const functions = traps.map(
    ({ name, before = "", body }) =>
      `namespace N_${name} {\n${before}\nvoid run(long long* out, int x, unsigned u, float f) {\n${body}\n}\n}`,
  );
  const calls = traps.map(
    ({ name }) =>
      `{ long long out[8] = {0}; N_${name}::run(out, x, u, f); for (int i = 0; i < 8; i++) printf("%lld ", out[i]); printf("\\n"); }`,
  );
  return `${SHIM}${functions.join("\n")}\nint main() { volatile int vx = -7; volatile unsigned vu = 3000000000u; volatile float vf = 2.75f; int x = vx; unsigned u = vu; float f = vf;\n${calls.join("\n")}\n}`;
}

/** The same bodies as kernels. */
export function deviceText(): string {
  const kernels = traps.map(
    ({ name, before = "", body }) =>
      `namespace N_${name} {\n${before}\n__global__ void ${name}(long long* out, int x, unsigned u, float f) {\n${body}\n}\n}`,
  );
  return `#define DEVICE __device__ inline\n#define BITS(d) __double_as_longlong(d)\n${kernels.join("\n")}\n`;
}
