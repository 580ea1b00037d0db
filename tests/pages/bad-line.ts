import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { origin } from "@/tests/support/http";

/** A line to the service that can be cut, in front of which everybody is on `network`. */
export interface BadLine {
  url: string;
  network: string;
  /** While it is, connections break off. */
  isCut: boolean;
  /** How long the next code says that it lives, in seconds; those after it, as long as they do. */
  expiresIn?: string;
  close: () => void;
}

export async function openBadLine(network: string): Promise<BadLine> {
  const server = createServer((incoming, outgoing) => {
    if (line.isCut) return incoming.destroy();
    // On a connection of its own: one that is kept may be closed by the service just when it is used again.
    const forwarded = request(`${origin}${incoming.url}`, {
      agent: false,
      headers: { ...incoming.headers, host: new URL(origin).host, "x-forwarded-for": line.network },
    });
    forwarded.on("response", (response) => {
      const life = response.headers["link-expires-in"] && line.expiresIn ? { "link-expires-in": line.expiresIn } : {};
      if ("link-expires-in" in life) line.expiresIn = undefined;
      outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, ...life });
      response.pipe(outgoing);
    });
    forwarded.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const line: BadLine = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    network,
    isCut: false,
    close: () => server.close(),
  };
  return line;
}
