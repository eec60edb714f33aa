/**
 * Child processes that do not outlive their work: a signal to this process ends them, and so does its own end. A child
 * leads a group of its own, so that what it started ends with it. Plain JavaScript: it runs before anything is compiled.
 */
import { spawn } from "node:child_process";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const actions = new Set();
let watchesExit = false;

function runActions() {
  for (const action of [...actions]) {
    try {
      action();
    } catch {
      // The process ends anyway, and the other actions must run.
    }
  }
  actions.clear();
}

function onSignal(signal) {
  runActions();
  for (const each of SIGNALS) process.off(each, onSignal);
  // A shell sees then that the signal ended the command.
  process.kill(process.pid, signal);
}

/**
 * Calls `action` where the process is told to end, or ends by itself. The handlers are there only while an action
 * is. A command that computes for long without a pause could not run them, and Ctrl+C would not end it.
 * @returns takes the action back
 */
export function atEnd(action) {
  if (!watchesExit) {
    watchesExit = true;
    process.on("exit", runActions);
  }
  if (actions.size === 0) for (const signal of SIGNALS) process.on(signal, onSignal);
  actions.add(action);
  return () => {
    actions.delete(action);
    if (actions.size === 0) for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}

const hasGroups = process.platform !== "win32";

/** Ends a child and all that it started. */
export function endChild(child, signal = "SIGKILL") {
  if (child.pid === undefined) return;
  try {
    if (hasGroups) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has ended.
  }
}

/** Starts a program as a child that ends with this process. */
export function startChild(command, args, options = {}) {
  const { endSignal = "SIGKILL", ...rest } = options;
  const child = spawn(command, args, { detached: hasGroups, ...rest });
  const takeBack = atEnd(() => endChild(child, endSignal));
  child.on("exit", takeBack);
  child.on("error", takeBack);
  return child;
}

const turn = () => new Promise((done) => setImmediate(done));
const bytesRead = (streams) => streams.reduce((sum, stream) => sum + (stream.bytesRead ?? 0), 0);

/**
 * Waits until the child itself has ended and all that it wrote has been read. The pipes may stay open for ever where it
 * left a process behind; that one is ended.
 */
export function childEnd(child) {
  return new Promise((done, failed) => {
    child.on("error", failed);
    child.on("exit", async (code, signal) => {
      endChild(child);
      const streams = child.stdio.filter((stream) => stream !== null && stream !== undefined);
      // All that it wrote lies in the pipes by now: each turn of the event loop reads of it.
      for (let quiet = 0, before = -1; quiet < 3; ) {
        await turn();
        const now = bytesRead(streams);
        quiet = now === before ? quiet + 1 : 0;
        before = now;
      }
      for (const stream of streams) stream.destroy();
      done({ code, signal });
    });
  });
}
