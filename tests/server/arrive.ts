import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Network } from "@/lib/network";
import type { Front } from "@/server/front";
import { receive } from "@/server/incoming";

export type Headers = Record<string, string>;

/** What the process makes of one request, from a connection with this peer. */
export function arrive(
  front: Front,
  peer: string,
  headers: Headers = {},
  { url = "/account", version = "1.1" } = {},
): { network: Network; sent: NodeJS.Dict<string | string[]> } {
  const socket = new Socket();
  Object.defineProperties(socket, { remoteAddress: { value: peer }, localPort: { value: 3000 } });
  const request = new IncomingMessage(socket);
  request.httpVersion = version;
  request.url = url;
  for (const [name, value] of Object.entries({ Host: "keys.localhost:3000", ...headers })) {
    request.headers[name.toLowerCase()] = value;
    request.rawHeaders.push(name, value);
  }
  return { network: receive(request, front), sent: request.headers };
}

/** The header that names these addresses, the client's first. */
export const forwardedFor = (...addresses: string[]): Headers => ({ "X-Forwarded-For": addresses.join(", ") });
