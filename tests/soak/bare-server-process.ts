// The least that a server of Node's does for every request: what the same attackers cost there is what nobody can
// avoid.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer({ maxHeaderSize: 278_528, requireHostHeader: false }, (_, response) => {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.end('{"status":"ok"}');
});
server.on("clientError", (_, socket) => socket.destroy());
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit(0));
