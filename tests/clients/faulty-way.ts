import { once } from "node:events";
import { request as ask, createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What a way between a program and the service does to a request. */
export type Fault = "none" | "unsent" | "lost" | "half" | "late" | "doubled" | "429" | "503" | "short-gzip";

export interface FaultyWay {
  url: string;
  /** How often each fault was met. */
  met: Map<Fault, number>;
  close(): void;
}

interface Arrived {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/**
 * A way to the service that breaks as `next` says. `unsent`: it ends before the service knows. `lost`: the service did
 * it, and its response does not arrive; `half` of it does. `doubled`: the service gets the request twice.
 */
export async function faultyWay(origin: string, next: (path: string) => Fault): Promise<FaultyWay> {
  const met = new Map<Fault, number>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    const fault = next(path);
    met.set(fault, (met.get(fault) ?? 0) + 1);
    if (fault === "unsent") return void request.socket.destroy();
    if (fault === "429") return refuse(response, 429, "rate_limited");
    if (fault === "503") return refuse(response, 503, "unavailable");
    try {
      if (fault === "late") await sleep(Math.random() * 100);
      if (fault === "doubled") await forward(origin, path, request.headers);
      const answer = await forward(origin, path, request.headers);
      if (fault === "lost") return void request.socket.destroy();
      send(response, answer, fault);
    } catch {
      request.socket.destroy();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, met, close: () => void server.close().closeAllConnections() };
}

function forward(origin: string, path: string, headers: IncomingHttpHeaders): Promise<Arrived> {
  return new Promise((resolve, reject) => {
    const sent = ask(origin + path, { headers: { ...headers, host: new URL(origin).host } }, (arrived) => {
      const chunks: Buffer[] = [];
      arrived.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
      arrived.on("end", () =>
        resolve({ status: arrived.statusCode ?? 0, headers: arrived.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    sent.on("error", reject).end();
  });
}

function send(response: ServerResponse, { status, headers, bytes }: Arrived, fault: Fault): void {
  const { connection: _, "keep-alive": __, ...kept } = headers;
  const half = Math.floor(bytes.length / 2);
  // A program on the way that says a length, and has lost the end: nothing but the body tells.
  if (fault === "short-gzip" && headers["content-encoding"] === "gzip") {
    response.writeHead(status, { ...kept, "content-length": half });
    return void response.end(bytes.subarray(0, half));
  }
  response.writeHead(status, kept);
  if (fault !== "half") return void response.end(bytes);
  response.write(bytes.subarray(0, half), () => setTimeout(() => response.destroy(), 5));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const error = "Not now.";
  response.writeHead(status, { "Content-Type": "application/json", "Retry-After": "0" });
  response.end(JSON.stringify({ success: false, error, message: error, code }));
}
