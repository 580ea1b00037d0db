import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { afterAll, afterEach, expect, vi } from "vitest";
import { log } from "@/lib/platform/log";
import type { Front } from "@/server/front";
import { receive } from "@/server/incoming";

export type Sent = Record<string, string>;

/** Hears what the log warns of in the tests of a file, each a sentence, in place of the log. */
export function heardWarnings() {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const warnings = () => warn.mock.calls.map(([sentence]) => String(sentence));
  afterAll(() => warn.mockRestore());
  afterEach(() => {
    for (const sentence of warnings()) expect(sentence).toMatch(/^[A-Z0-9][^\n]{20,400}\.$/);
    warn.mockClear();
  });
  return { warnings, forget: () => warn.mockClear() };
}

export const forwardedFor = (...addresses: string[]): Sent => ({ "X-Forwarded-For": addresses.join(", ") });
/** What a proxy says of a client on the internet. */
export const CLIENT = forwardedFor("203.0.113.7");

interface How {
  url?: string;
  version?: string;
  /** The address of this machine at which it arrives. */
  own?: string;
}

/** A request from `peer` arrives at port 3000: its network, and the headers that handlers see. */
export function arrive(front: Front, peer: string, headers: Sent = {}, how: How = {}) {
  const { url = "/account", version = "1.1", own } = how;
  const socket = new Socket();
  const ends = { remoteAddress: { value: peer }, localAddress: { value: own }, localPort: { value: 3000 } };
  Object.defineProperties(socket, ends);
  const request = new IncomingMessage(socket);
  request.httpVersion = version;
  request.url = url;
  for (const [name, value] of Object.entries({ Host: "keys.localhost:3000", ...headers })) {
    request.headers[name.toLowerCase()] = value;
    request.rawHeaders.push(name, value);
  }
  return { network: receive(request, front), sent: request.headers };
}
