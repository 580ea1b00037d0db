// Links this terminal to a user, then says who it is and whether the user holds a key.
// Usage: node examples/link-node.mjs http://localhost:3000 [key]
import { ask, holdsKey, link } from "./latchkey.mjs";

const [base = "http://localhost:3000", key] = process.argv.slice(2);

try {
  const token = await link(base, (code, page) => console.log(`Open ${page} and compare the letters: ${code}`));
  if (!token) throw new Error("The code has expired, or was denied.");
  const { username } = await ask(base, "/me", token);
  console.log(`Linked to ${username}.`);
  for (const { name, key: id } of await ask(base, "/keys/mine", token)) console.log(`Holds ${name || "an unnamed key"}, ${id}`);
  if (key) console.log((await holdsKey(base, username, key)) ? `${username} holds it.` : `${username} does not hold it.`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
