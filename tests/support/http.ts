import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { inject } from "vitest";
import { newNetwork } from "./network";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; undefined where it is none. */
  body: Record<string, unknown> | undefined;
  /** The body as a JSON array; empty where it is none. */
  list: Record<string, unknown>[];
}

export interface Asking {
  method?: string;
  /** Added to the query string, encoded. Undefined ones are left out. */
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  /** The address that the request comes from; each test file has one of its own otherwise. */
  network?: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const own = newNetwork().id;

/** The service that this project's tests speak to. */
export const { url: origin } = inject("service");

/** Sends one request, with the path exactly as it is written: nothing is normalised on the way. */
export function ask(path: string, { method = "GET", query = {}, headers = {}, network = own }: Asking = {}, at = origin): Promise<Answer> {
  const { hostname, port } = new URL(at);
  const parameters = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
  const target = parameters.size === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}${parameters}`;
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path: target, headers: { "X-Forwarded-For": network, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const json = parse(text);
        const list = Array.isArray(json) ? json : [];
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: Array.isArray(json) ? undefined : json, list });
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
