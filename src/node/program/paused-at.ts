/** Where a thread that does not end is: the debugger stops it, and tells the addresses of its functions of WebAssembly. */
import { Session } from "node:inspector";

interface Message {
  readonly method?: string;
  readonly params?: {
    readonly callFrames?: readonly {
      readonly url: string;
      readonly location: { readonly columnNumber?: number };
    }[];
  };
}

/** Innermost first; none where the thread does not answer in time. The one thread that this process has is asked. */
export function pausedAt(milliseconds: number): Promise<readonly number[]> {
  const session = new Session();
  session.connect();
  return new Promise((done) => {
    const end = (addresses: readonly number[]): void => {
      clearTimeout(timer);
      session.disconnect();
      done(addresses);
    };
    const timer = setTimeout(() => end([]), milliseconds);
    session.on("NodeWorker.attachedToWorker", ({ params: { sessionId } }) => {
      ["Debugger.enable", "Debugger.pause"].forEach((method, id) => {
        const message = JSON.stringify({ id, method });
        session.post("NodeWorker.sendMessageToWorker", { sessionId, message });
      });
    });
    session.on("NodeWorker.receivedMessageFromWorker", ({ params: { message } }) => {
      const { method, params } = JSON.parse(message) as Message;
      if (method !== "Debugger.paused") return;
      const frames = (params?.callFrames ?? []).filter(({ url }) => url.startsWith("wasm://"));
      end(frames.map(({ location }) => location.columnNumber ?? 0));
    });
    session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });
  });
}
