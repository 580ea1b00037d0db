import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { listening } from "@/tests/support/place";

/** A service that has one document, and sends it as the test likes. */
export interface DocumentServer {
  url: string;
  /** Replaces the document. */
  put(text: string | Buffer): void;
  /** How the next responses with the document break: after how many bytes. */
  cuts: number[];
  /** How many responses had the document, or a part of it. */
  sent: { status: number; coding: string }[];
  close(): void;
}

/** `isGzip`: sends the compressed form to who accepts it. */
export async function serveDocument(text: string | Buffer, username = "alice", isGzip = true): Promise<DocumentServer> {
  let plain = Buffer.from(text);
  const cuts: number[] = [];
  const sent: { status: number; coding: string }[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    if (url === "/me")
      return response.setHeader("Content-Type", "application/json").end(JSON.stringify({ username, role: "user" }));
    const tag = createHash("sha256").update(plain).digest("hex").slice(0, 16);
    const zips = isGzip && /gzip/.test(headers["accept-encoding"] ?? "") && !headers.range;
    const etag = `"${tag}${zips ? "-gzip" : ""}"`;
    response.setHeader("ETag", etag).setHeader("Content-Type", "application/json");
    if ((headers["if-none-match"] ?? "").includes(etag)) return response.writeHead(304).end();
    const [, first] = /^bytes=(\d+)-$/.exec(headers.range ?? "") ?? [];
    const isPart = first !== undefined && headers["if-range"] === etag;
    if (isPart && Number(first) >= plain.length) {
      const error = "Beyond the end.";
      const body = { success: false, error, message: error, code: "range_not_satisfiable" };
      return response.writeHead(416).end(JSON.stringify(body));
    }
    const bytes = zips ? gzipSync(plain) : isPart ? plain.subarray(Number(first)) : plain;
    if (zips) response.setHeader("Content-Encoding", "gzip");
    response.writeHead(isPart ? 206 : 200, { "Content-Length": bytes.length });
    sent.push({ status: response.statusCode, coding: zips ? "gzip" : "" });
    cutOff(response, bytes, cuts.shift());
  });
  return {
    url: `http://127.0.0.1:${await listening(server)}`,
    put: (next) => {
      plain = Buffer.from(next);
    },
    cuts,
    sent,
    close: () => void server.close().closeAllConnections(),
  };
}

function cutOff(response: ServerResponse, bytes: Buffer, at: number | undefined): void {
  if (at === undefined || at >= bytes.length) return void response.end(bytes);
  response.write(bytes.subarray(0, at), () => setTimeout(() => response.destroy(), 20));
}

/** What a proxy on the way does to one request or its answer. */
export type Fault =
  | { kind: "none" | "refused" | "lost" | "doubled answer" | "doubled request" | "truncated gzip" }
  | { kind: "delayed"; ms: number }
  | { kind: "status"; status: 429 | 503 }
  /** The connection breaks after so many bytes of the answer's body. */
  | { kind: "cut"; after: number };

/** One of each kind but none. */
export const FAULTS = "refused,lost,cut,delayed,doubled answer,doubled request,status,truncated gzip".split(
  ",",
) as Fault["kind"][];

export interface FaultyWay {
  url: string;
  /** How often each fault happened. */
  counts: Map<Fault["kind"], number>;
  [Symbol.dispose](): void;
}

/** A proxy in front of the service at `origin` that does to each request what `faultOf` says. */
export async function faultyWay(
  origin: string,
  faultOf: (request: IncomingMessage) => Fault | Promise<Fault>,
): Promise<FaultyWay> {
  const counts: FaultyWay["counts"] = new Map();
  const passed = async (asked: IncomingMessage, answer: ServerResponse) => {
    const fault = await faultOf(asked);
    counts.set(fault.kind, (counts.get(fault.kind) ?? 0) + 1);
    await pass(origin, fault, asked, answer);
  };
  const way = createServer((asked, answer) => {
    passed(asked, answer).catch(() => answer.destroy());
  });
  return {
    url: `http://127.0.0.1:${await listening(way)}`,
    counts,
    [Symbol.dispose]() {
      way.closeAllConnections();
      way.close();
    },
  };
}

async function pass(origin: string, fault: Fault, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  if (fault.kind === "refused") return void asked.socket.destroy();
  if (fault.kind === "status") return refuse(answer, fault.status);
  if (fault.kind === "delayed") await sleep(fault.ms);
  if (fault.kind === "doubled request") await buffer(await forward(origin, asked));
  const response = await forward(origin, asked);
  const { statusCode = 502, rawHeaders, headers } = response;
  if (fault.kind === "cut") return cut(response, answer, fault.after);
  if (fault.kind === "lost") {
    await buffer(response);
    return void asked.socket.destroy();
  }
  if (fault.kind === "doubled answer") {
    const lines = rawHeaders.flatMap((_, n) => (n % 2 ? [] : [`${rawHeaders[n]}: ${rawHeaders[n + 1]}\r\n`]));
    const head = `HTTP/1.1 ${statusCode} Doubled\r\n${lines.join("")}\r\n`;
    const whole = Buffer.concat([Buffer.from(head), await buffer(response)]);
    return void asked.socket.end(Buffer.concat([whole, whole]));
  }
  if (fault.kind === "truncated gzip" && headers["content-encoding"] === "gzip") {
    const bytes = await buffer(response);
    const half = bytes.subarray(0, bytes.length / 2);
    return void answer.writeHead(statusCode, { ...headers, "content-length": half.length }).end(half);
  }
  answer.writeHead(statusCode, rawHeaders);
  response.pipe(answer);
  response.on("aborted", () => answer.destroy());
}

async function forward(origin: string, { url, method, headers }: IncomingMessage): Promise<IncomingMessage> {
  const sent = request(new URL(url ?? "/", origin), { method, headers: { ...headers, connection: "close" } });
  const [response] = await once(sent.end(), "response");
  return response;
}

/** As the service itself refuses, but without a pause. */
function refuse(answer: ServerResponse, status: 429 | 503): void {
  const code = status === 429 ? "rate_limited" : "unavailable";
  const body = JSON.stringify({ success: false, error: "Not now.", message: "Not now.", code });
  answer.writeHead(status, { "Content-Type": "application/json", "Retry-After": "0" }).end(body);
}

async function cut(response: IncomingMessage, answer: ServerResponse, after: number): Promise<void> {
  answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
  answer.flushHeaders();
  let left = after;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (chunk.length >= left) {
      answer.write(chunk.subarray(0, left), () => answer.destroy());
      return;
    }
    left -= chunk.length;
    if (!answer.write(chunk)) await once(answer, "drain");
  }
  answer.end();
}
