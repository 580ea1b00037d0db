// Signs the user of a desktop program in: opens the browser, stores the token for the next start, and forgets it if it
// was removed. Usage: node examples/desktop.mjs http://localhost:3000
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Latchkey } from "./client.mjs";

const [base = "http://localhost:3000"] = process.argv.slice(2);
/** Only its user may read it. A program with a window stores the token in the system's keychain instead. */
const file = join(process.env.XDG_CONFIG_HOME ?? join(homedir(), ".config"), "latchkey-example", "token");

try {
  const { username } = (await stillSignedIn()) ?? (await signIn());
  console.log(`Signed in as ${username}.`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** The user of the stored token, or undefined if there is none or it was removed. */
async function stillSignedIn() {
  const token = read();
  if (!token) return undefined;
  try {
    return await new Latchkey(base, { token }).me();
  } catch (error) {
    if (error.code !== "invalid_token") throw error;
    rmSync(file);
    return undefined;
  }
}

async function signIn() {
  const latchkey = new Latchkey(base);
  // Enough to know who the user is; "read" also reads their keys and files.
  const token = await latchkey.link({ name: "Desktop example", access: "identity", onCode: show });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, token, { mode: 0o600 });
  return latchkey.me();
}

function show({ code, url }) {
  console.log(`Your browser opens ${url}. Check that the letters match: ${code}`);
  const opener = { darwin: "open", win32: "explorer" }[process.platform] ?? "xdg-open";
  // Without a browser, the user opens the printed URL.
  spawn(opener, [url], { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref();
}

function read() {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}
