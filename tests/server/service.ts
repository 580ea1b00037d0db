import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Assets } from "@/server/compressed-assets";
import { frontOf } from "@/server/front";
import type { FindAction } from "@/server/gate-limits";
import { lanes } from "@/server/lanes";
import { refuseUnreadable } from "@/server/refuse";

export interface Seen {
  url: string;
  headers: Record<string, string>;
  rawHeaders: Record<string, string[]>;
}

export interface Settings {
  proxies?: string;
  origin?: string;
  assets?: Assets;
  actions?: FindAction;
  page?: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;
}

/** A server on a port of its own. Ends with the test that uses it (`await using`). */
export async function serve(listener: RequestListener, options: ServerOptions = {}) {
  const server = createServer({ requireHostHeader: false, ...options }, listener);
  server.on("clientError", refuseUnreadable);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const listen = (
  { proxies, origin, assets, actions, page = showRequest }: Settings = {},
  options: ServerOptions = {},
) => {
  const next = async (request: IncomingMessage, response: ServerResponse) => void (await page(request, response));
  return serve(lanes(next, frontOf(proxies, origin), { assets, actions }), options);
};

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

export const ask = (port: number, line: string, lines: string[] = ["Host: keys.localhost"]): Promise<Received> =>
  send(port, `${line} HTTP/1.1\r\n${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);

export const get = (port: number, target: string, lines?: string[]) => ask(port, `GET ${target}`, lines);
