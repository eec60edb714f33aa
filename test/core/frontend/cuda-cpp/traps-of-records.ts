/** More of what C++ does and a hasty reader gets wrong: records, templates, effects. As those in `traps.ts`. */
import type { Trap } from "./traps.js";

export const more: readonly Trap[] = [
  {
    name: "argument_effects",
    before: "DEVICE int mix(int a, int b) { return a * 10 + b; }\nDEVICE int bump(int& v) { return ++v; }",
    body: "int v = x; out[0] = mix(bump(v), 3); out[1] = v; out[2] = bump(v) * 2; int a[3] = {1, 2, 3}; int i = 0; out[3] = a[bump(i)]; out[4] = i;",
  },
  {
    name: "promotion_of_narrow_types",
    body: "unsigned char a = 250; unsigned short s = 65535; signed char c = -128; out[0] = a << 4; out[1] = s * s; out[2] = -c; out[3] = a - s; out[4] = (unsigned char)(a + 10) >> 1; out[5] = c * a; c -= 1; out[6] = c; out[7] = (a += 200) + 1;",
  },
  {
    name: "switch_on_a_char_and_scopes",
    body: "int r = 0; for (char c = 'a'; c <= 'e'; c++) switch (c) { case 'a': { int t = 1; r += t; } break; case 'b': case 'c': r += 10; default: r += 100; break; case 'e': r += 1000; } out[0] = r; switch (u & 3u) { default: out[1] = 5; case 7u: out[2] = 6; }",
  },
  {
    name: "shadowed_parameter_and_loop",
    before:
      "DEVICE int sh(int n) { int r = n; for (int n = 0; n < 3; n++) { int r = n * 2; if (r > 2) { int n = 40; r += n; } } { int n = 5; r += n; } return r + n; }",
    body: "out[0] = sh(x); int y = 1; if (x < 0) { int y = 2; y++; out[1] = y; } out[2] = y; for (int y = 7; y < 8; ++y) { { int y = 9; out[3] = y; } }",
  },
  {
    name: "variadic_templates",
    before:
      "DEVICE int total() { return 0; }\ntemplate <class T, class... R> DEVICE int total(T a, R... r) { return a + total(r...); }\ntemplate <class... T> DEVICE int folded(T... v) { return (v + ... + 0); }\ntemplate <int... N> DEVICE int largest() { int m = -100; ((m = N > m ? N : m), ...); return m; }",
    body: "out[0] = total(1, x, 2.75f, 'a'); out[1] = folded(x, 1, 2); out[2] = largest<3, -9, 12, 5>();",
  },
  {
    name: "operators_of_a_struct",
    before:
      "struct V { int a, b; DEVICE V operator-() const { return V{-a, -b}; } DEVICE V& operator+=(const V& o) { a += o.a; b += o.b; return *this; } DEVICE bool operator<(const V& o) const { return a != o.a ? a < o.a : b < o.b; } DEVICE int operator[](int i) const { return i ? b : a; } DEVICE V& operator++() { ++a; return *this; } DEVICE V operator++(int) { V old = *this; ++a; return old; } DEVICE explicit operator bool() const { return a || b; } DEVICE operator int() const { return a * 100 + b; } };\nDEVICE V operator*(int k, const V& v) { return V{k * v.a, k * v.b}; }",
    body: "V v{x, 4}; V w = 3 * v; w += -v; out[0] = w.a; out[1] = w[1]; out[2] = v < w; V o = v++; out[3] = o.a * 100 + v.a; ++v += V{10, 20}; out[4] = v.a * 1000 + v.b; out[5] = v ? 1 : 0; out[6] = (int)w; int i = w; out[7] = i;",
  },
  {
    name: "reference_to_element_and_swap",
    before:
      "template <class T> DEVICE void exchange(T& a, T& b) { T t = a; a = b; b = t; }\nstruct Node { int v; int w[2]; };",
    body: "int a[4] = {1, 2, 3, 4}; int i = 1; int& r = a[i]; i = 3; r += 10; out[0] = a[1]; exchange(a[i], a[0]); out[1] = a[0] * 10 + a[3]; Node n = {5, {6, 7}}, m = {x, {8, 9}}; exchange(n, m); out[2] = n.v * 100 + m.v; exchange(n.w[0], m.w[1]); out[3] = n.w[0] * 10 + m.w[1]; const int& c = n.v; n.v = 50; out[4] = c; int (&q)[4] = a; q[2] = 33; out[5] = a[2];",
  },
  {
    name: "unions",
    before: "union Word { unsigned u; float f; unsigned char b[4]; struct { short lo, hi; } s; };",
    body: "Word w; w.f = f; out[0] = w.u; w.b[3] = 0x40; w.s.lo = (short)x; out[1] = w.u; out[2] = w.s.lo; Word v = w; v.u ^= 0x80000000u; out[3] = BITS(double(v.f)); out[4] = sizeof(Word); out[5] = v.b[0] + w.b[1];",
  },
  {
    name: "static_constants",
    before:
      "DEVICE int table(int i) { static const int t[4] = {5, 6, 7, 8}; constexpr int k = 3; return t[i & 3] * k; }\nstruct Lim { static const int N = 6; static constexpr float S = 1.5f; enum { M = N * 2 }; };",
    body: "out[0] = table(x); out[1] = Lim::N + Lim::M; out[2] = BITS(double(f * Lim::S)); static const float w[2] = {0.5f, 2.f}; out[3] = BITS(double(w[x & 1]));",
  },
  {
    name: "enum_class_and_flags",
    before:
      "enum class E : unsigned char { A = 250, B, C };\nenum F { F1 = 1, F2 = 1 << 4, F3 = -1 };\nDEVICE E next(E e) { return (E)((int)e + 1); }",
    body: "E e = E::B; e = next(e); out[0] = (int)e; out[1] = sizeof(e); out[2] = e == E::C; F g = (F)(F1 | F2); out[3] = g; out[4] = F3 < 0; out[5] = F3; switch (e) { case E::A: out[6] = 1; break; case E::C: out[6] = 3; break; default: out[6] = 9; } out[7] = static_cast<unsigned char>(E::A) + 10;",
  },
  {
    name: "range_for",
    body: "int a[4] = {3, 1, x, 5}; int s = 0; for (int v : a) s = s * 2 + v; out[0] = s; for (int& v : a) v *= 2; out[1] = a[2]; for (auto v : a) { if (v < 0) continue; if (v == 10) break; out[2] += v; } ",
  },
  {
    name: "do_while_0_macros",
    before:
      "#define SWAP(a, b) do { int t_ = (a); (a) = (b); (b) = t_; } while (0)\n#define CHECK(c) do { if (!(c)) break; r++; } while (0)\n#define MAX2(a, b) ((a) > (b) ? (a) : (b))",
    body: "int a = x, b = 5, r = 0; if (a < b) SWAP(a, b); else r = 100; out[0] = a * 10 + b; CHECK(a > 0); CHECK(b > 0); out[1] = r; int i = 3; out[2] = MAX2(i++, 2); out[3] = i; out[4] = MAX2(-a, b - 1) + 1;",
  },
  {
    name: "comma_and_ternary_places",
    body: "int a = 1, b = 2, c; c = (a++, b += a, a * b); out[0] = c; (x < 0 ? a : b) += 10; out[1] = a * 100 + b; int arr[2] = {7, 8}; (x > 0 ? arr[0] : arr[1])++; out[2] = arr[0] * 10 + arr[1]; int i = (1, 2, x); out[3] = i; (a, b) = 5; out[4] = a + b; out[5] = x < 0 ? x < -10 ? 1 : 2 : 3;",
  },
  {
    name: "shifts",
    body: "out[0] = x << 3; out[1] = x >> 1; out[2] = (unsigned)x >> 28; out[3] = 1u << 31; out[4] = (long long)1 << (x + 40); signed char c = (signed char)x; out[5] = c >> 1; c <<= 4; out[6] = c; out[7] = (unsigned char)x >> 2 << 1;",
  },
  {
    name: "structs_that_hold_arrays",
    before:
      "struct Row { int v[3]; int n; };\nDEVICE Row doubled(Row r) { for (int i = 0; i < 3; i++) r.v[i] *= 2; r.n++; return r; }\nDEVICE int sum(const Row r) { return r.v[0] + r.v[1] + r.v[2] + r.n * 1000; }",
    body: "Row r = {{1, x, 3}, 2}; Row s = r; s.v[1] = 9; out[0] = r.v[1]; Row t = doubled(r); out[1] = sum(r); out[2] = sum(t); Row many[2] = {r, t}; many[0] = many[1]; many[1].v[0] = 77; out[3] = sum(many[0]); out[4] = doubled(doubled(s)).v[1];",
  },
  {
    name: "pointers_to_arrays",
    before:
      "DEVICE int corner(int (*p)[3], int n) { return p[n - 1][2]; }\nDEVICE int plane(const int m[][2][3], int i) { return m[i][1][2]; }",
    body: "int a[2][3] = {{1, 2, 3}, {4, 5, x}}; out[0] = corner(a, 2); int (*p)[3] = &a[0]; ++p; out[1] = (*p)[1]; int* q = *a + 4; out[2] = *q; out[3] = q - a[0]; int c[2][2][3] = {}; c[1][1][2] = 42; out[4] = plane(c, 1); out[5] = (int)sizeof(*p);",
  },
  {
    name: "shared_in_two_dimensions",
    body: "__shared__ int t[4][5]; __shared__ float g[2][3]; for (int i = 0; i < 4; i++) for (int j = 0; j < 5; j++) t[i][j] = i * 10 + j + x; int (*row)[5] = t + 2; out[0] = row[1][4]; int* flat = &t[0][0]; out[1] = flat[7]; g[1][2] = f; out[2] = BITS(double((&g[0][0])[5])); out[3] = sizeof(t) + sizeof(g[0]); t[1][1]++; out[4] = t[1][1];",
  },
  {
    name: "volatile_and_const_cast",
    before: "DEVICE int look(const int* p) { return *p; }",
    body: "volatile int v = x; v = v + 1; v++; out[0] = v; const int* c = (const int*)&x; out[1] = look(c); int w = 3; const int& r = w; const_cast<int&>(r) = 8; out[2] = w; int* m = const_cast<int*>(c); *m = 21; out[3] = x; volatile int a[2] = {1, 2}; a[0] += a[1]; out[4] = a[0];",
  },
  {
    name: "alignments",
    before:
      "struct alignas(16) A { int v; };\nstruct B { char c; A a; };\nstruct C { char c; alignas(8) int v; short s; };",
    body: "out[0] = sizeof(A); out[1] = sizeof(B); out[2] = sizeof(C); out[3] = alignof(C); B b[2]; b[1].a.v = x; b[1].c = 'z'; out[4] = b[1].a.v + b[1].c; alignas(16) int arr[5] = {1, 2}; out[5] = sizeof(arr); C c = {'a', x, 9}; C d = c; out[6] = d.v + d.s;",
  },
  {
    name: "default_arguments_and_overloads",
    before:
      "DEVICE int f1(int a, int b = 3, int c = 4) { return a * 100 + b * 10 + c; }\nDEVICE int ov(int) { return 1; }\nDEVICE int ov(unsigned) { return 2; }\nDEVICE int ov(float) { return 3; }\nDEVICE int ov(double) { return 4; }\nDEVICE int ov(char) { return 5; }\nDEVICE int ov(const int*) { return 6; }\nDEVICE int ov(long long) { return 7; }\ntemplate <class T> DEVICE int which(T) { return 1; }\ntemplate <class T> DEVICE int which(T*) { return 2; }\ntemplate <> DEVICE int which(char) { return 3; }",
    body: "out[0] = f1(1); out[1] = f1(1, x); out[2] = ov(x) * 100000 + ov(u) * 10000 + ov(f) * 1000 + ov(1.0) * 100 + ov('a') * 10 + ov(&x); out[3] = ov(1L * x > 0) + ov((short)x) * 10 + ov(5LL) * 100 + ov(x + u) * 1000; out[4] = which(x) * 100 + which(&x) * 10 + which('a');",
  },
  {
    name: "inheritance_without_constructors",
    before:
      "struct Base { int a; DEVICE int twice() const { return a * 2; } };\nstruct Derived : Base { int b; DEVICE int both() const { return twice() + b; } };",
    body: "Derived d; d.a = x; d.b = 5; out[0] = d.both(); Base& r = d; r.a = 10; out[1] = d.twice(); Base c = d; c.a++; out[2] = c.a * 100 + d.a; out[3] = sizeof(Derived);",
  },
  {
    name: "nested_calls_and_effects",
    before: "DEVICE int g(int a, int b) { return a - b; }\nDEVICE int take(int* p) { return (*p)--; }",
    body: "int v = x; out[0] = g(g(1, 2), g(3, g(4, 5))); int k = 5; int s = 0; while (take(&k) > 2) s += k; out[1] = s; out[2] = k; int a[3] = {2, 0, 1}; out[3] = a[a[a[0]]]; int i = 0; i = i++ + 1; out[5] = i; out[6] = v;",
  },
  {
    name: "floats_and_ints_mixed",
    body: "float a = x; out[0] = a == x; out[1] = (u + 1u) * 2 > u; out[2] = (int)(f * 3) % 4; out[3] = BITS(double(x / 2.f)); out[4] = BITS(f / 3); out[5] = BITS(double(f / 3)); out[6] = (long long)(u * 2.0); out[7] = BITS(double(1e-3f * x + 2));",
  },
  {
    name: "early_loops",
    body: "int r = 0; for (int i = 0; ; i++) { if (i == 3) continue; if (i > 6) break; for (int j = i; j; j--) { if (j % 2) continue; if (j > 4) break; r += i * j; } } out[0] = r; int n = 0; while (true) { n++; if (n > 5) { if (x < 0) break; } } out[1] = n; int k = 10; do { if (k == 7) { k = 2; continue; } k--; } while (k > 3); out[2] = k;",
  },
  {
    name: "init_statements",
    body: "if (int v = x + 7; v == 0) out[0] = 4; else out[0] = v; switch (int w = x & 3; w) { case 1: out[1] = 10; break; default: out[1] = w; }",
  },
  {
    name: "long_and_size_t",
    body: "size_t n = 3; out[0] = n - 4 > 0; for (size_t i = n; i-- > 0;) out[1] = out[1] * 10 + i; long l = x; out[2] = l * u; out[3] = sizeof(size_t) * 2 - 20 < 0; unsigned long long w = x; out[4] = w >> 60; out[5] = (int)w; int d = 7 - sizeof(int) * 2; out[6] = d;",
  },
  {
    name: "this_and_chains",
    before:
      "struct Acc { int s = 4; int n{2}; DEVICE Acc& add(int v) { s += v; n++; return *this; } DEVICE Acc& self() { return *this; } DEVICE int get() const { return this->s * 10 + n; } };",
    body: "Acc a; a.add(x).add(20).self().add(1); out[0] = a.get(); Acc b = a; b.add(1); out[1] = a.get(); Acc c[2]; c[1].add(5); out[2] = c[0].get() + c[1].get(); Acc d = Acc().add(3); out[3] = d.get(); out[4] = Acc().get();",
  },
];
