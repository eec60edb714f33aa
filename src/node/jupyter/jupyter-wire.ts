/**
 * Jupyter's wire protocol: a message is a few ZeroMQ frames: who it is for, a mark, a signature, and four JSON parts.
 * Source: "Messaging in Jupyter", protocol 5.3 (https://jupyter-client.readthedocs.io/en/latest/messaging.html).
 */
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";

/** The connection file that Jupyter writes for a kernel; field names are Jupyter's. */
export interface Connection {
  readonly transport: string;
  readonly ip: string;
  readonly key: string;
  readonly shell_port: number;
  readonly control_port: number;
  readonly iopub_port: number;
  readonly stdin_port: number;
  readonly hb_port: number;
}

export interface Header {
  readonly msg_id: string;
  readonly msg_type: string;
  readonly session: string;
  readonly username: string;
  readonly date: string;
  readonly version: string;
}

export type Content = Readonly<Record<string, unknown>>;

export interface Message {
  /** ZeroMQ's addresses of the one who asked; a reply repeats them. */
  readonly identities: readonly Buffer[];
  readonly header: Header;
  readonly content: Content;
}

const DELIMITER = Buffer.from("<IDS|MSG>");

function signature(key: string, parts: readonly (Buffer | string)[]): string {
  // An empty key means that messages are not signed.
  if (key === "") return "";
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(part);
  return hmac.digest("hex");
}

/**
 * A received message from its frames.
 * @throws {Error} if frames are missing or the signature is not the connection's.
 */
export function decode(key: string, frames: readonly Buffer[]): Message {
  const mark = frames.findIndex((frame) => frame.equals(DELIMITER));
  const [signed, header, parent, metadata, content] = mark < 0 ? [] : frames.slice(mark + 1);
  if (!signed || !header || !parent || !metadata || !content) throw new Error("A Jupyter message lacks frames.");
  const wanted = Buffer.from(signature(key, [header, parent, metadata, content]));
  if (signed.length !== wanted.length || !timingSafeEqual(signed, wanted)) {
    throw new Error("A Jupyter message has a wrong signature.");
  }
  return {
    identities: frames.slice(0, mark),
    header: JSON.parse(header.toString()) as Header,
    content: JSON.parse(content.toString()) as Content,
  };
}

/** The frames of a message of this type that answers `request`, or follows from it. */
export function encode(key: string, type: string, content: Content, request: Message): (Buffer | string)[] {
  const header: Header = {
    msg_id: randomUUID(),
    msg_type: type,
    session: request.header.session,
    username: request.header.username,
    date: new Date().toISOString(),
    version: "5.3",
  };
  const parts = [header, request.header, {}, content].map((part) => JSON.stringify(part));
  return [...request.identities, DELIMITER, signature(key, parts), ...parts];
}
