import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

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
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
