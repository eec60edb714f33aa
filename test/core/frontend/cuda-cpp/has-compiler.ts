import { execFileSync } from "node:child_process";

/** Whether g++ is there, whose results are the right ones. */
export function hasCompiler(): boolean {
  try {
    execFileSync("g++", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
