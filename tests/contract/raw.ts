import { connect } from "node:net";
import { origin } from "@/tests/support/http";

/** Sends bytes as they are and answers what comes back until the service closes the connection. */
async function exchange(text: string): Promise<Buffer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("end", () => resolve(Buffer.concat(chunks)));
    socket.on("error", reject);
  });
}

export const raw = async (text: string) => (await exchange(text)).toString();

/** The bytes of an answer's body as they were sent. */
export async function rawBody(path: string): Promise<Buffer> {
  const { hostname } = new URL(origin);
  const all = await exchange(
    `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`,
  );
  return all.subarray(all.indexOf("\r\n\r\n") + 4);
}
