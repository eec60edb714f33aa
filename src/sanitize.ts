/** `warplab/sanitize`: memcheck, racecheck, initcheck, synccheck, and the search for a schedule that goes wrong. */

export type { FindingPlace, SanitizerFinding, SanitizerTool, Severity } from "./core/sanitizer/finding.js";
export { type SanitizeOptions, type SanitizerReport, sanitize } from "./core/sanitizer/sanitize.js";
export type { HeldSchedule, ScheduleSearch, WrongSchedule } from "./core/sanitizer/schedules.js";
