import { connect } from "node:net";
import { inject } from "vitest";
import { type Answer, type Asking, newNetwork, sendTo } from "./request";

export type { Answer, Asking } from "./request";

let own = newNetwork().id;

export function enterNetwork(): void {
  own = newNetwork().id;
}

export const { url: origin } = inject("service");

export function ask(path: string, asking: Asking = {}, at = origin): Promise<Answer> {
  return sendTo(at, path, { ...asking, network: asking.network ?? own });
}

/** Sends these bytes as they are, and returns what comes back until the service closes the connection. */
export async function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = "";
    socket.on("data", (chunk) => (received += chunk));
    socket.on("end", () => resolve(received));
    socket.on("error", reject);
  });
}
