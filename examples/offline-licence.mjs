// Says whether a user holds a key, also without a network, until the last signed response expires. Exits with 0 if
// the user does, with 1 if not, with 2 if that is unknown.
// Usage: node examples/offline-licence.mjs http://localhost:3000 <username> <key>
// First: curl -o jwks.json http://localhost:3000/.well-known/jwks.json, which your program ships.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Latchkey } from "./client.mjs";

const [base, username, key] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, "utf8"));

/** A file of your program's own, in the user's folder. */
const stored = () => (existsSync("licence.json") ? read("licence.json") : {});
const storage = {
  getItem(name) {
    return stored()[name] ?? null;
  },
  setItem(name, proof) {
    writeFileSync("licence.json", JSON.stringify({ ...stored(), [name]: proof }));
  },
};

try {
  if (!key) throw new Error("Usage: node offline-licence.mjs http://localhost:3000 <username> <key>");
  const latchkey = new Latchkey(base, { offline: { jwks: read("jwks.json"), storage } });
  const { owned, until, isOffline } = await latchkey.keys.check(username, key, { offline: true });
  console.log(owned ? `${username} holds the key.` : `${username} does not hold the key.`);
  console.log(isOffline ? `Offline until ${until.toISOString()}.` : `Works offline until ${until.toISOString()}.`);
  process.exitCode = owned ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
