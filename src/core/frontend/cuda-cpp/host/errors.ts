/** cudaError_t: each code with its name and the sentence of cudaGetErrorString. */

interface CudaErrorEntry {
  readonly name: string;
  readonly code: number;
  readonly text: string;
}

const entry = (name: string, code: number, text: string): CudaErrorEntry => ({ name, code, text });

export const CUDA_ERRORS: readonly CudaErrorEntry[] = [
  entry("cudaSuccess", 0, "no error"),
  entry("cudaErrorInvalidValue", 1, "invalid argument"),
  entry("cudaErrorMemoryAllocation", 2, "out of memory"),
  entry("cudaErrorInitializationError", 3, "initialization error"),
  entry("cudaErrorInvalidConfiguration", 9, "invalid configuration argument"),
  entry("cudaErrorInvalidPitchValue", 12, "invalid pitch argument"),
  entry("cudaErrorInvalidSymbol", 13, "invalid device symbol"),
  entry("cudaErrorInvalidHostPointer", 16, "invalid host pointer"),
  entry("cudaErrorInvalidDevicePointer", 17, "invalid device pointer"),
  entry("cudaErrorInvalidMemcpyDirection", 21, "invalid copy direction for memcpy"),
  entry("cudaErrorMissingConfiguration", 52, "__global__ function call is not configured"),
  entry("cudaErrorLaunchMaxDepthExceeded", 65, "launch would exceed maximum depth of nested launches"),
  entry("cudaErrorSyncDepthExceeded", 68, "sync depth exceeded"),
  entry("cudaErrorLaunchPendingCountExceeded", 69, "launch would exceed pending device launch count"),
  entry("cudaErrorInvalidDeviceFunction", 98, "invalid device function"),
  entry("cudaErrorNoDevice", 100, "no CUDA-capable device is detected"),
  entry("cudaErrorInvalidDevice", 101, "invalid device ordinal"),
  entry("cudaErrorInvalidKernelImage", 200, "device kernel image is invalid"),
  entry("cudaErrorNoKernelImageForDevice", 209, "no kernel image is available for execution on the device"),
  entry("cudaErrorUnsupportedLimit", 215, "limit is not supported on this architecture"),
  entry("cudaErrorInvalidResourceHandle", 400, "invalid resource handle"),
  entry("cudaErrorNotReady", 600, "device not ready"),
  entry("cudaErrorIllegalAddress", 700, "an illegal memory access was encountered"),
  entry("cudaErrorLaunchOutOfResources", 701, "too many resources requested for launch"),
  entry("cudaErrorLaunchTimeout", 702, "the launch timed out and was terminated"),
  entry("cudaErrorPeerAccessAlreadyEnabled", 704, "peer access is already enabled"),
  entry("cudaErrorAssert", 710, "device-side assert triggered"),
  entry("cudaErrorHostMemoryAlreadyRegistered", 712, "part or all of the requested memory range is already mapped"),
  entry("cudaErrorHostMemoryNotRegistered", 713, "pointer does not correspond to a registered memory region"),
  entry("cudaErrorMisalignedAddress", 716, "misaligned address"),
  entry("cudaErrorIllegalInstruction", 715, "an illegal instruction was encountered"),
  entry("cudaErrorLaunchFailure", 719, "unspecified launch failure"),
  entry("cudaErrorCooperativeLaunchTooLarge", 720, "too many blocks in cooperative launch"),
  entry("cudaErrorNotSupported", 801, "operation not supported"),
  entry("cudaErrorUnknown", 999, "unknown error"),
];

const CODES: ReadonlyMap<string, number> = new Map(CUDA_ERRORS.map(({ name, code }) => [name, code]));

/** The code of an error by CUDA's name; that of cudaErrorUnknown for a name that is not listed. */
export function cudaErrorCode(name: string): number {
  return CODES.get(name) ?? 999;
}

/** The enumeration and its two functions, in C++. */
export const ERRORS_TEXT: string = [
  `enum cudaError { ${CUDA_ERRORS.map(({ name, code }) => `${name} = ${code}`).join(", ")} };`,
  "typedef cudaError cudaError_t;",
  "inline __W const char* cudaGetErrorName(cudaError_t e) { switch (e) {",
  ...CUDA_ERRORS.map(({ name }) => `case ${name}: return "${name}";`),
  `default: return "unrecognized error code"; } }`,
  "inline __W const char* cudaGetErrorString(cudaError_t e) { switch (e) {",
  ...CUDA_ERRORS.map(({ name, text }) => `case ${name}: return "${text}";`),
  `default: return "unrecognized error code"; } }`,
  "",
].join("\n");
