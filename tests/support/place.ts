import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

/** A folder for the tests of a file, which goes after the last of them. */
export function ownFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `latchkey-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Lets it listen at a free port of this machine, which it returns. */
export async function listening(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/** Lets it listen for the tests of a file, and returns its address, which is there once they run. */
export function addressOf(server: HttpServer): () => string {
  let address = "";
  beforeAll(async () => {
    address = `http://127.0.0.1:${await listening(server)}`;
  });
  afterAll(() => void server.close().closeAllConnections());
  return () => address;
}
