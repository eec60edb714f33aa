/** The fixed parts of a CUDA program's host code: error checks, timing by events, comparison with expected values. */

export const HOST_FUNCTIONS: string = `// ---------------------------------------------------------------- host

inline void checkAt(cudaError_t status, int line) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "line %d: %s: %s\\n", line, cudaGetErrorName(status), cudaGetErrorString(status));
  exit(2);
}
#define check(call) checkAt((call), __LINE__)

// One NaN is as good as another.
template <class T> void canonical(T&) {}
inline void canonical(float& value) {
  const uint32_t nan = 0x7fc00000u;
  if (value != value) memcpy(&value, &nan, sizeof value);
}
inline void canonical(double& value) {
  const uint64_t nan = 0x7ff8000000000000ull;
  if (value != value) memcpy(&value, &nan, sizeof value);
}

// FNV-1a, 64 bits.
template <class T> uint64_t checksum(const std::vector<T>& values) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (const T& value : values) {
    unsigned char bytes[sizeof(T)];
    memcpy(bytes, &value, sizeof(T));
    for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3ull;
  }
  return hash;
}

template <class T> std::vector<T> copyBack(const void* device, size_t count) {
  std::vector<T> values(count);
  check(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  for (T& value : values) canonical(value);
  return values;
}

inline void print(int value) { printf("%d", value); }
inline void print(unsigned int value) { printf("%u", value); }
inline void print(long long value) { printf("%lld", value); }
inline void print(unsigned long long value) { printf("%llu", value); }
inline void print(float value) { printf("%.9g", value); }
inline void print(double value) { printf("%.17g", value); }

// Says where the GPU's values differ from the simulator's; true where they are the same.
template <class T> bool same(const char* name, const std::vector<T>& gpu, std::vector<T> expected) {
  size_t differences = 0;
  for (size_t i = 0; i < gpu.size(); i++) {
    canonical(expected[i]);
    if (memcmp(&gpu[i], &expected[i], sizeof(T)) == 0) continue;
    if (differences++ >= 8) continue;
    printf("  %s[%zu]: GPU ", name, i);
    print(gpu[i]);
    printf(", simulator ");
    print(expected[i]);
    printf("\\n");
  }
  if (differences > 8) printf("  ... and %zu more\\n", differences - 8);
  printf("%s: %zu of %zu values as simulated\\n", name, gpu.size() - differences, gpu.size());
  return differences == 0;
}

// As same(), for what a GPU computes by approximations of its own or adds up in an order of its own.
template <class T> bool near(const char* name, const std::vector<T>& gpu, const std::vector<T>& expected, size_t step) {
  size_t differences = 0;
  for (size_t i = 0; i < expected.size(); i++) {
    const double a = (double)gpu[i * step], b = (double)expected[i];
    if (a == b || (a != a && b != b) || fabs(a - b) <= 1e-4 * fabs(b) + 1e-6) continue;
    if (differences++ >= 8) continue;
    printf("  %s[%zu]: GPU ", name, i * step);
    print(gpu[i * step]);
    printf(", simulator ");
    print(expected[i]);
    printf("\\n");
  }
  printf("%s: %zu of %zu values within 1e-4 of the simulated\\n", name, expected.size() - differences, expected.size());
  return differences == 0;
}

inline bool sameChecksum(const char* name, uint64_t gpu, uint64_t expected, size_t count) {
  if (gpu == expected) printf("%s: all %zu values as simulated (checksum %016llx)\\n", name, count, (unsigned long long)gpu);
  else printf("%s: GPU checksum %016llx, simulator %016llx\\n", name, (unsigned long long)gpu, (unsigned long long)expected);
  return gpu == expected;
}

`;

/**
 * A first run; then 20 timed ones, unless the kernel prints. The memory after the last one is checked. `predicted` is printed
 * beside the measured time.
 */
export function timingText(prints: boolean, predicted?: { readonly device: string; readonly timeMs: number }): string {
  const simulated =
    predicted === undefined
      ? ""
      : `  printf("simulated: %.4f ms on %s\\n", ${predicted.timeMs.toPrecision(6)}, ${JSON.stringify(predicted.device)});\n`;
  const head =
    "  cudaEvent_t start, stop;\n  check(cudaEventCreate(&start));\n  check(cudaEventCreate(&stop));\n" +
    "  run(start, stop);  // warms up the GPU\n";
  if (prints) return `${head}  // The kernel prints: it is not run again for its time.\n\n  int failures = 0;\n`;
  return (
    `${head}  std::vector<float> ms;\n  for (int i = 0; i < 20; i++) {\n    run(start, stop);\n    float elapsed = 0;\n` +
    "    check(cudaEventElapsedTime(&elapsed, start, stop));\n    ms.push_back(elapsed);\n  }\n" +
    "  std::sort(ms.begin(), ms.end());\n" +
    '  printf("time: %.4f ms, the median of 20 runs (%.4f to %.4f)\\n", (ms[9] + ms[10]) / 2, ms.front(), ms.back());\n' +
    `${simulated}\n` +
    "  int failures = 0;\n"
  );
}

export interface Check {
  readonly name: string;
  readonly type: string;
  readonly host: string;
  readonly device: string;
  /** Code that makes the expected values in `vector`; null: the checksum alone is known. */
  readonly expected: { readonly vector: string; readonly fill: string } | null;
  readonly checksum: bigint;
  /** The kernel computes what need not be the same to the bit on every GPU. */
  readonly approximate: boolean;
  /** Every `step`-th of the expected values is there. */
  readonly step: number;
}

export function checkText({ name, type, host, device, expected, checksum, approximate, step }: Check): string {
  const hash = `0x${checksum.toString(16).padStart(16, "0")}ull`;
  const values = `copyBack<${type}>(${device}, ${host}.size())`;
  if (expected === null) {
    return `  if (!sameChecksum("${name}", checksum(${values}), ${hash}, ${host}.size())) failures++;\n`;
  }
  const head =
    `  {\n    const std::vector<${type}> gpuValues = ${values};\n` +
    `    std::vector<${type}> ${expected.vector}(${step === 1 ? `${host}.size()` : `(${host}.size() + ${step - 1}) / ${step}`});\n` +
    `    ${expected.fill}\n`;
  if (approximate) {
    return `${head}    if (!near("${name}", gpuValues, ${expected.vector}, ${step})) failures++;\n  }\n`;
  }
  return (
    `${head}    if (!same("${name}", gpuValues, ${expected.vector})) failures++;\n` +
    `    printf("  checksum %016llx, simulator %016llx\\n", (unsigned long long)checksum(gpuValues), ${hash});\n  }\n`
  );
}
