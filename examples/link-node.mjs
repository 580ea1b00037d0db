// Links this terminal to a user, then says who it is and which keys the user holds.
// Usage: node examples/link-node.mjs http://localhost:3000
import { ask, link } from "./latchkey.mjs";

const [base = "http://localhost:3000"] = process.argv.slice(2);

try {
  const show = (code, page) => console.log(`Open ${page} and check that the letters match: ${code}`);
  const token = await link(base, show, { name: "link-node" });
  if (!token) throw new Error("The code was denied, or has expired.");
  const { username } = await ask(base, "/me", token);
  console.log(`Linked to ${username}.`);
  for (const { name, key: id } of await ask(base, "/keys/mine", token))
    console.log(`Holds ${name || "an unnamed key"}, ${id}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
