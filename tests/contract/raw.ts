import { connect } from "node:net";
import { origin } from "@/tests/support/http";

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
