import { randomBytes } from "node:crypto";
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import type { Network } from "@/lib/platform/network/network";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
  body: Record<string, unknown> | undefined;
  list: Record<string, unknown>[];
}

export interface Asking {
  method?: string;
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  network?: string;
  body?: string;
  /** Not sent again if its connection was closed: the service may have done it. */
  once?: true;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export function sendTo(origin: string, path: string, asking: Asking = {}): Promise<Answer> {
  const { method = "GET", query = {}, headers = {}, network, body } = asking;
  const { hostname, port } = new URL(origin);
  const from: Record<string, string> = network === undefined ? {} : { "X-Forwarded-For": network };
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, hostname, port, method, path: withQuery(path, query), headers: { ...from, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString("utf8");
          const json = parse(text);
          const list = Array.isArray(json) ? json : [];
          const body = Array.isArray(json) ? undefined : json;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text, body, list });
        });
      },
    );
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The service closed the connection, which was idle, while this request was on its way (RFC 9112, section 9.5).
      const wasIdle = !asking.once && sent.reusedSocket && error.code === "ECONNRESET";
      if (wasIdle) resolve(sendTo(origin, path, asking));
      else reject(error);
    });
    sent.end(body);
  });
}

export const closeConnections = () => agent.destroy();

function withQuery(path: string, query: NonNullable<Asking["query"]>): string {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  return parameters.size === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}${parameters}`;
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function newNetwork(): Network {
  // Addresses below 11 and from 100 on may have a special meaning: all of loopback is one network.
  const [first = 0, ...others] = randomBytes(4);
  return { id: [11 + (first % 89), ...others].join("."), kind: "remote" };
}
