// Signs a user in at this terminal, then says who it is.
// Usage: node examples/link-node.mjs http://localhost:3000
import { Latchkey } from "./client.mjs";

const [base = "http://localhost:3000"] = process.argv.slice(2);

try {
  const latchkey = new Latchkey(base);
  await latchkey.link({
    name: "link-node",
    access: "identity", // Enough to know who the user is; "read" also reads their keys and files.
    onCode: ({ code, url }) => console.log(`Open ${url} and check that the letters match: ${code}`),
  });
  const { username } = await latchkey.me();
  console.log(`Linked to ${username}.`);
} catch (error) {
  const isOver = ["link_denied", "link_expired", "link_collected"].includes(error.code);
  console.error(isOver ? "The code was denied, or has expired." : error.message);
  process.exitCode = 1;
}
