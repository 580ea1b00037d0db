import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Assets } from "@/server/compressed-assets";
import { frontOf } from "@/server/front";
import { lanes } from "@/server/lanes";
import { refuseUnreadable } from "@/server/refuse";

/** What a page's handler saw of a request. */
export interface Seen {
  url: string;
  headers: Record<string, string>;
  rawHeaders: Record<string, string[]>;
}

export interface Settings {
  /** TRUSTED_PROXIES. */
  proxies?: string;
  /** NEXTAUTH_URL. */
  origin?: string;
  assets?: Assets;
  /** Answers for Next; by default with what it saw. */
  page?: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/**
 * The two lanes on a port of their own, with pages that answer what they saw. Ends with the test that uses it (`await
 * using`).
 */
export async function listen(
  { proxies, origin, assets, page = showRequest }: Settings = {},
  options: ServerOptions = {},
): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer(
    { requireHostHeader: false, ...options },
    lanes(page, frontOf(proxies, origin), { assets }),
  );
  server.on("clientError", refuseUnreadable);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function showRequest({ url, headers, rawHeaders }: IncomingMessage, response: ServerResponse): Promise<void> {
  const raw: Record<string, string[]> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    raw[name] = [...(raw[name] ?? []), rawHeaders[index + 1] ?? ""];
  }
  const body = JSON.stringify({ url, headers, rawHeaders: raw });
  response.writeHead(200, { "Content-Length": Buffer.byteLength(body) }).end(body);
}

export interface Received {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends bytes as they are and reads one answer to the connection's end. Text is sent as UTF-8. */
export function send(port: number, ...parts: (string | Buffer)[]): Promise<Received> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => {
      for (const part of parts) socket.write(part);
    });
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", (error) => (chunks.length > 0 ? resolve(parseAnswer(chunks)) : reject(error)));
    socket.on("close", () => resolve(parseAnswer(chunks)));
  });
}

function parseAnswer(chunks: Buffer[]): Received {
  const [head = "", body = ""] = Buffer.concat(chunks)
    .toString("utf8")
    .split(/\r\n\r\n(.*)/s);
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return { status: Number(statusLine.split(" ")[1]), headers, body };
}

/** A GET with these header lines; the connection ends with its answer. */
export function get(port: number, target: string, lines: string[] = ["Host: keys.localhost"]): Promise<Received> {
  return send(port, `GET ${target} HTTP/1.1\r\n${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
}
