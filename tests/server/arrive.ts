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
  url = "/account",
): { network: Network; sent: NodeJS.Dict<string | string[]> } {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: peer });
  const request = new IncomingMessage(socket);
  request.httpVersion = "1.1";
  request.url = url;
  for (const [name, value] of Object.entries({ Host: "keys.example", ...headers })) {
    request.headers[name.toLowerCase()] = value;
    request.rawHeaders.push(name, value);
  }
  return { network: receive(request, front), sent: request.headers };
}

/** The header that names these addresses, the client's first. */
export const forwardedFor = (...addresses: string[]): Headers => ({ "X-Forwarded-For": addresses.join(", ") });
