import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

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
