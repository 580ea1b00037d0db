import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { limitBodyTime } from "@/server/body-time";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Begun extends AsyncDisposable {
  client: Socket;
  answer: () => string;
  isCut: () => boolean;
  /** Sends one more byte, and waits until the server has it, or has closed the connection. */
  drop: () => Promise<void>;
}

/** A request of 100 bytes whose first is sent; the server answers when it has all of them. */
async function beginRequest(path: string): Promise<Begun> {
  let arrived = 0;
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    limitBodyTime(request, response, path);
    request.on("error", () => {});
    request.on("data", (bytes: Buffer) => {
      arrived += bytes.length;
    });
    request.on("end", () => response.end("whole"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let text = "";
  let isCut = false;
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("data", (chunk) => {
    text += chunk;
  });
  client.on("error", () => {});
  client.on("close", () => {
    isCut = true;
  });
  const drop = async () => {
    const before = arrived;
    if (client.writable) client.write("x");
    while (arrived === before && !isCut) await sleep(2);
  };
  client.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n`);
  await drop();
  return {
    drop,
    client,
    answer: () => text,
    isCut: () => isCut,
    async [Symbol.asyncDispose]() {
      client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Lets so many minutes pass, sending a byte in each. */
async function drip({ drop }: Begun, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    vi.advanceTimersByTime(50_000);
    await drop();
    vi.advanceTimersByTime(10_000);
    await sleep(5);
  }
}

test.each(["/files", "/files/import"])("%s: a body that falls silent is cut off, and told why", async (path) => {
  await using request = await beginRequest(path);
  vi.advanceTimersByTime(50_000);
  await sleep(20);
  expect(request.answer()).toBe("");
  vi.advanceTimersByTime(20_000);
  await expect.poll(request.isCut).toBe(true);
  expect(request.answer()).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
});

test("a body that drips may take five minutes, a whole document as long as it needs", async () => {
  await using form = await beginRequest("/files/uploads/a");
  await drip(form, 4);
  expect(form.answer()).toBe("");
  await drip(form, 2);
  await expect.poll(form.isCut).toBe(true);
  expect(form.answer()).toMatch(/^HTTP\/1\.1 408 /);

  await using document = await beginRequest("/files/import");
  await drip(document, 98);
  expect(document.answer()).toBe("");
  document.client.write("x");
  await expect.poll(document.answer).toMatch(/^HTTP\/1\.1 200 .*whole$/s);
});
