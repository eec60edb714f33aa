/** Names that learning platforms give to the files and folders of a download: whose, which attempt, and when. */

export interface DownloadName {
  /** The learner's name as the platform writes it. */
  readonly learner: string;
  /** The platform's number of the learner; Moodle has another one in each assignment. */
  readonly id: string;
  readonly platform: "canvas" | "moodle" | "brightspace";
  /** Canvas marks what was handed in after its own date. */
  readonly late: boolean;
  /** Later attempts have larger ones: Canvas's number of the file, Brightspace's time. */
  readonly order: number;
  /** When it was handed in by the platform's clock, as milliseconds of a clock without a zone; null where the name does not say. */
  readonly clock: number | null;
}

/** doejane_LATE_12345_67890_lab-28-1: name, mark, learner, file, and the file's own name with the attempt. */
const CANVAS = /^(.+?)_(LATE_)?(\d{2,})_(\d{2,})(?:[-_ .(]|$)/;
/** Jane Doe_12345_assignsubmission_file_: with the file's name behind it, or a folder of its own. */
const MOODLE = /^(.+)_(\d+)_assignsubmission_(?:file|onlinetext)(?:_|$)/;
/** 12345-67890 - Jane Doe - Nov 27, 2026 1159 PM: a folder, or with " - " and the file's name. */
const BRIGHTSPACE = /^(\d+)-\d+ - (.+?) - ([^-]*\b\d{4}\b[^-]*?)(?: - .*)?$/;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** "Nov 27, 2026 1159 PM" and "27 November, 2026 11:59 PM"; null for other writings. */
function clockOf(text: string): number | null {
  const month = MONTHS.indexOf(/[a-z]{3,}/i.exec(text)?.[0]?.slice(0, 3).toLowerCase() ?? "");
  const numbers = /(?<!\d)(\d{1,2})(?!\d).*?(\d{4})\D+(\d{1,2})[:.]?(\d{2})(?:\D*\d{2})?\s*([AP]M)?\s*$/i.exec(text);
  if (month < 0 || numbers === null) return null;
  const [day = 0, year = 0, hour = 0, minute = 0] = numbers.slice(1, 5).map(Number);
  const half = numbers[5]?.toUpperCase();
  const hours = half === undefined ? hour : (hour % 12) + (half === "PM" ? 12 : 0);
  return Date.UTC(year, month, day, hours, minute);
}

/** Reads the name of a file or a folder; null for a name that no platform has made. */
export function downloadName(name: string): DownloadName | null {
  const moodle = MOODLE.exec(name);
  if (moodle !== null) {
    const [, learner = "", id = ""] = moodle;
    return { learner, id, platform: "moodle", late: false, order: 0, clock: null };
  }
  const brightspace = BRIGHTSPACE.exec(name);
  if (brightspace !== null) {
    const [, id = "", learner = "", text = ""] = brightspace;
    const clock = clockOf(text);
    return { learner, id, platform: "brightspace", late: false, order: clock ?? 0, clock };
  }
  const canvas = CANVAS.exec(name);
  if (canvas === null) return null;
  const [, learner = "", late, id = "", file = ""] = canvas;
  return { learner, id, platform: "canvas", late: late !== undefined, order: Number(file), clock: null };
}
