// Says whether a user holds a key. Needs no token. Exits with 0 if the user does, with 1 if not, with 2 if that
// is unknown. Usage: node examples/check-key.mjs http://localhost:3000 <username> <key>
import { Latchkey } from "./client.mjs";

const [base, username, key] = process.argv.slice(2);
try {
  if (!key) throw new Error("Usage: node check-key.mjs http://localhost:3000 <username> <key>");
  const { owned } = await new Latchkey(base).keys.check(username, key);
  console.log(owned ? `${username} holds the key.` : `${username} does not hold the key.`);
  process.exitCode = owned ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
