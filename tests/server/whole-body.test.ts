import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { awaitBody } from "@/server/whole-body";

/** As Next hands a request to a route: the stream itself becomes the body of a Request. */
function asRoutesReadIt(request: IncomingMessage): Promise<string> {
  const asNextDoes: object = { method: "POST", body: request, duplex: "half" };
  return new Request("http://127.0.0.1/", asNextDoes).text();
}

async function afterTheGate(sent: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const read = awaitBody(request, { bodyBytes: 1_000_000 }).then(() => asRoutesReadIt(request));
    response.end(await read.catch((error: Error) => `failed: ${error.message}`));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const { port } = server.address() as AddressInfo;
    return await (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: sent })).text();
  } finally {
    server.close();
  }
}

test.each([0, 1, 100, 300_000])(
  "a route reads a body of %i letters whole after the gate has looked at it",
  async (length) => {
    expect(await afterTheGate("x".repeat(length))).toBe("x".repeat(length));
  },
);
