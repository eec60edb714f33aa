/** nvprof's traces: one line for each GPU activity, or for each API call. */
import { rateText, sizeText, timeText } from "../../profile/catalog/format.js";
import { csvLine, headOf, row } from "./columns.js";
import { type ApiCall, deviceName, type GpuActivity } from "./recorded.js";

const GPU_COLUMNS = [
  { title: "Start", width: 8 },
  { title: "Duration", width: 8 },
  { title: "Grid Size", width: 19 },
  { title: "Block Size", width: 14 },
  { title: "Regs*", width: 8 },
  { title: "SSMem*", width: 8 },
  { title: "DSMem*", width: 8 },
  { title: "Size", width: 8 },
  { title: "Throughput", width: 10 },
  { title: "SrcMemType", width: 10 },
  { title: "DstMemType", width: 10 },
  { title: "Device", width: 15 },
  { title: "Context", width: 8 },
  { title: "Stream", width: 8 },
] as const;

const DEVICE_WIDTH = 15;
/** A program's first context, its default stream and the first that it makes, as nvprof numbers them. */
const CONTEXT = "1";
const DEFAULT_STREAM = 7;
const FIRST_STREAM = 13;

function streamText({ stream: { number } }: GpuActivity): string {
  return String(number === 0 ? DEFAULT_STREAM : FIRST_STREAM + number - 1);
}

/** Bytes a second; null for kernels, and where there is no time. */
function throughputOf({ bytes, seconds }: GpuActivity): number | null {
  return bytes === null || seconds === null || seconds === 0 ? null : bytes / seconds;
}

const NOTES = [
  "",
  "Regs: Number of registers used per CUDA thread.",
  "SSMem: Static shared memory allocated per CUDA block.",
  "DSMem: Dynamic shared memory allocated per CUDA block.",
  "SrcMemType: The type of source memory accessed by memory operation/copy",
  "DstMemType: The type of destination memory accessed by memory operation/copy",
];

const extents = (sizes: readonly number[]): string => `(${sizes.join(" ")})`;

function gpuRow(activity: GpuActivity): string {
  const { launch, bytes, startSeconds, seconds, source, destination, name, correlation } = activity;
  const of = <T>(value: T | null | undefined, text: (value: T) => string): string =>
    value === null || value === undefined ? "-" : text(value);
  const cells = [
    of(startSeconds, timeText),
    of(seconds, timeText),
    of(launch?.grid, extents),
    of(launch?.block, extents),
    of(launch?.registersPerThread, String),
    of(launch?.staticSharedBytes, sizeText),
    of(launch?.dynamicSharedBytes, sizeText),
    of(bytes, sizeText),
    of(throughputOf(activity), rateText),
    source ?? "-",
    destination ?? "-",
    deviceName(activity.device).slice(0, DEVICE_WIDTH),
    CONTEXT,
    streamText(activity),
  ];
  return row(GPU_COLUMNS, cells, launch === null ? name : `${name} [${correlation}]`);
}

export function gpuTraceText(gpu: readonly GpuActivity[]): readonly string[] {
  return [headOf(GPU_COLUMNS, "Name"), ...gpu.map(gpuRow), ...NOTES];
}

const GPU_CSV = [
  ...["Start", "Duration", "Grid X", "Grid Y", "Grid Z", "Block X", "Block Y", "Block Z", "Registers Per Thread"],
  ...["Static SMem", "Dynamic SMem", "Size", "Throughput", "SrcMemType", "DstMemType", "Device", "Context", "Stream"],
  ...["Name", "Correlation_ID"],
];

/** Starts and durations in microseconds and sizes in bytes, as the second line says. */
export function gpuTraceCsv(gpu: readonly GpuActivity[]): readonly string[] {
  const none = [null, null, null];
  return [
    csvLine(GPU_CSV),
    "us,us,,,,,,,,B,B,B,GB/s,,,,,,,",
    ...gpu.map((activity) => {
      const { launch, bytes, startSeconds, seconds, source, destination, device, name, correlation } = activity;
      const microseconds = (value: number | null): number | null =>
        value === null ? null : Number((value * 1e6).toFixed(6));
      const throughput = throughputOf(activity);
      return csvLine([
        microseconds(startSeconds),
        microseconds(seconds),
        ...(launch?.grid ?? none),
        ...(launch?.block ?? none),
        launch?.registersPerThread ?? null,
        launch?.staticSharedBytes ?? null,
        launch?.dynamicSharedBytes ?? null,
        bytes,
        throughput === null ? null : Number((throughput / 1e9).toFixed(6)),
        source,
        destination,
        deviceName(device),
        CONTEXT,
        streamText(activity),
        launch === null ? name : `${name} [${correlation}]`,
        correlation,
      ]);
    }),
  ];
}

const API_COLUMNS = [
  { title: "Start", width: 8 },
  { title: "Duration", width: 8 },
] as const;

function apiName({ name, kernel, correlation }: ApiCall): string {
  return kernel === null ? name : `${name} (${kernel} [${correlation}])`;
}

export function apiTraceText(api: readonly ApiCall[]): readonly string[] {
  return [headOf(API_COLUMNS, "Name"), ...api.map((call) => row(API_COLUMNS, ["-", "-"], apiName(call)))];
}

export function apiTraceCsv(api: readonly ApiCall[]): readonly string[] {
  return [
    csvLine(["Start", "Duration", "Name", "Correlation_ID"]),
    "us,us,,",
    ...api.map((call) => csvLine([null, null, apiName(call), call.correlation])),
  ];
}
