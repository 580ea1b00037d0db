import { once } from "node:events";
import { connect } from "node:net";

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
