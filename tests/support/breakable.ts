import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "@/scripts/scratch-server";

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
