import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection on which bytes are sent as a test likes. */
export interface RawConnection {
  socket: Socket;
  /** All that came so far. */
  received(): string;
  closed: Promise<void>;
}

/** Opens one, and reads what comes unless `reads` is false: then the other side soon cannot send. */
export async function openSocket(origin: string, first = "", reads = true): Promise<RawConnection> {
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

/** Begins to send a form of so many bytes, of which none is sent yet, and waits until the request runs. */
export async function beginPost(origin: string, path: string, bytes: number): Promise<RawConnection> {
  const type = "Content-Type: application/x-www-form-urlencoded";
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: ${bytes}\r\nExpect: 100-continue\r\n\r\n`;
  const connection = await openSocket(origin, head);
  while (!connection.received().startsWith("HTTP/1.1 100")) await once(connection.socket, "data");
  return connection;
}

export const openSockets = (count: number, ...how: Parameters<typeof openSocket>): Promise<RawConnection[]> =>
  Promise.all(Array.from({ length: count }, () => openSocket(...how)));

/** Sends one byte more on each every second, until it is closed. Answers how to end that. */
export function dribble(connections: RawConnection[]): () => void {
  const timer = setInterval(() => {
    for (const { socket } of connections) if (socket.writable) socket.write("a");
  }, 1_000);
  return () => clearInterval(timer);
}
