// A server that learns who is playing, without their token.
// Usage: node examples/game-server.mjs http://localhost:3000 play.example.org 4000
import { createServer } from "node:http";
import { Latchkey } from "./client.mjs";

const [base, audience, port] = process.argv.slice(2);
if (!port) throw new Error("Usage: node game-server.mjs http://localhost:3000 <name of this server> <port>");
const latchkey = new Latchkey(base);

const server = createServer(async ({ headers }, response) => {
  try {
    const validator = headers.authorization?.replace("Bearer ", "") ?? "";
    const { id, username } = await latchkey.whoIs(validator, audience);
    response.end(`Welcome, ${username}. Your id is ${id}.\n`);
  } catch (error) {
    response.writeHead(error.code === "bad_proof" ? 401 : 503).end(`${error.message}\n`);
  }
});
server.listen(Number(port), "127.0.0.1", () => console.log(`Waiting on port ${server.address().port}.`));
