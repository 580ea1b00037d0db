import { connect } from "node:net";

/**
 * How a hostile request ended: the status of its answer, the sender's going away, a cut connection, or nothing for a
 * long time.
 */
export type Ending = number | "gone" | "cut" | "silent";

interface Sending {
  /** How many answers are waited for. */
  answers?: number;
  /** The sender is gone after so long, whatever came. */
  goneAfterMs?: number;
  /** Is sent over and over behind the rest, every 100 ms, until the sender goes. */
  drip?: Buffer;
  /** Nothing of the answers is read. */
  isUnread?: true;
}

const PATIENCE_MS = 20_000;
const DRIP_MS = 100;

/** Sends bytes on a connection of its own, reads the status lines of what is answered, and closes it. */
export function sendBytes(
  origin: string,
  parts: readonly Buffer[],
  { answers = 1, goneAfterMs, drip, isUnread }: Sending = {},
): Promise<Ending[]> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const endings: Ending[] = [];
    let rest = "";
    const socket = connect(Number(port), hostname);
    const dripping = drip && setInterval(() => socket.writable && socket.write(drip), DRIP_MS);
    const end = (ending?: Ending) => {
      if (ending !== undefined) endings.push(ending);
      clearTimeout(timer);
      clearInterval(dripping);
      socket.destroy();
      resolve(endings);
    };
    const timer = setTimeout(() => end(goneAfterMs === undefined ? "silent" : "gone"), goneAfterMs ?? PATIENCE_MS);
    socket.on("error", () => {});
    socket.once("close", () => end(endings.length < answers ? "cut" : undefined));
    if (isUnread) socket.pause();
    else
      socket.on("data", (chunk: Buffer) => {
        const text = rest + chunk.toString("latin1");
        for (const [, status] of text.matchAll(/HTTP\/1\.1 ([2-5]\d\d) /g)) endings.push(Number(status));
        // A status line may come in two chunks.
        rest = /HTTP\/1\.1 .{0,3}$|H[TP/1.]{0,8}$/.exec(text)?.[0] ?? "";
        if (endings.length >= answers) end();
      });
    for (const part of parts) socket.write(part);
  });
}

/** The request as it would come from `network`: the header is put behind the first line. */
export function fromNetwork(request: Buffer, network: string): Buffer[] {
  const line = request.indexOf("\r\n") + 2;
  return [request.subarray(0, line), Buffer.from(`X-Forwarded-For: ${network}\r\n`), request.subarray(line)];
}
