import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { freePort } from "@/scripts/scratch-server";

export type RawConnection = Awaited<ReturnType<typeof openSocket>>;

/** Opens one, and reads what arrives unless `reads` is false: then the other side soon cannot send. */
export async function openSocket(origin: string, first = "", reads = true) {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  if (reads) socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  else socket.pause();
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await once(socket, "connect");
  socket.write(first);
  return { socket, received: () => Buffer.concat(chunks).toString("latin1"), closed };
}

/** Begins to send a form of this many bytes, without sending any yet, and waits until the request runs. */
export async function beginPost(origin: string, path: string, bytes: number): Promise<RawConnection> {
  const type = "Content-Type: application/x-www-form-urlencoded";
  const length = `Content-Length: ${bytes}`;
  const lines = [`POST ${path} HTTP/1.1`, "Host: localhost", type, length, "Expect: 100-continue", "", ""];
  const head = lines.join("\r\n");
  const connection = await openSocket(origin, head);
  while (!connection.received().startsWith("HTTP/1.1 100")) await once(connection.socket, "data");
  return connection;
}

export const openSockets = (count: number, ...how: Parameters<typeof openSocket>): Promise<RawConnection[]> =>
  Promise.all(Array.from({ length: count }, () => openSocket(...how)));

/** Sends one more byte on each connection every second, until it is closed. Returns a function that stops this. */
export function dribble(connections: RawConnection[]): () => void {
  const timer = setInterval(() => {
    for (const { socket } of connections) if (socket.writable) socket.write("a");
  }, 1_000);
  return () => clearInterval(timer);
}

export type Breakable = Awaited<ReturnType<typeof breakableWay>>;

export async function breakableWay(hostname: string, port: number) {
  const ends = new Set<Socket>();
  let target = port;
  let isFrozen = false;
  const way = createServer((client) => {
    const server = connect(target, hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      ends.add(from);
      from.on("data", (bytes) => isFrozen || to.write(bytes));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        ends.delete(from);
        to.destroy();
      });
    }
  });
  const own = await freePort();
  const listen = () => once(way.listen(own, "127.0.0.1"), "listening");
  await listen();
  return {
    port: own,
    async cut() {
      const closed = once(way, "close");
      way.close();
      for (const end of ends) end.destroy();
      await closed;
    },
    async mend() {
      isFrozen = false;
      if (!way.listening) await listen();
    },
    leadTo(other: number) {
      target = other;
    },
    freeze() {
      isFrozen = true;
    },
  };
}

/** A load balancer on a free port of this machine: passes each connection to the next of `ports`. */
export async function balance(ports: number[]): Promise<{ port: number; close(): void }> {
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer((client) => {
    const behind = connect(ports[turn++ % ports.length] ?? 0, "127.0.0.1");
    for (const [from, to] of [
      [client, behind],
      [behind, client],
    ] as const) {
      open.add(from);
      from.on("error", () => to.destroy()).on("close", () => open.delete(from));
      from.pipe(to);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return { port: (server.address() as AddressInfo).port, close };
}
