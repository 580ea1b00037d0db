import { hostname } from "node:os";
import { Option } from "@commander-js/extra-typings";
import { renderUnicodeCompact } from "uqr";
import { plain } from "../../../lib/platform/safe-text";
import { Latchkey, type ShownCode } from "../../typescript/src/latchkey";
import { command } from "./command";
import { removeToken, storeToken } from "./credentials";
import { EXIT, Failure } from "./failure";
import { openBrowser } from "./open-browser";
import { print, printMessage } from "./output";
import { interrupted } from "./read-input";
import { addressOf, defaultAddress, session } from "./session";

const HERE = "http://localhost:3000";
const MAX_NAME = 40;

export const login = command(
  "login",
  "Sign in: shows six letters, and you confirm them in a browser",
  "login https://keys.example.org",
)
  .argument("[address]", "The service; without it, the last one")
  .addOption(
    new Option("--access <access>", "What this computer may do in your name")
      .choices(["identity", "read", "everything"] as const)
      .default("everything" as const),
  )
  .option("--no-browser", "Do not open a browser")
  .action(async (input, { access, browser, json }) => {
    const address = input ? addressOf(input) : (defaultAddress() ?? HERE);
    if (/^http:\/\/(?!localhost[:/]?|127\.|\[::1\])/.test(`${address}/`))
      printMessage("Warning: this address is not encrypted. Others on the way can read your token.");
    const latchkey = new Latchkey(address);
    const onCode = (linkCode: ShownCode) => void show(linkCode, browser);
    const token = await latchkey.link({ name: thisComputer(), access, onCode, signal: interrupted });
    const { username } = await latchkey.me({ signal: interrupted });
    const location = storeToken(address, token);
    const where = location === "keychain" ? "the system's keychain" : "a file that only you can read";
    print({ username, address, keptIn: location }, json, `Signed in as ${plain(username)}. Your token is in ${where}.`);
  });

/** Shorter times are said in seconds: rounded to minutes, they would be far off. */
const MINUTES_FROM = 150;

async function show({ code, url, expiresAt }: ShownCode, mayOpen: boolean): Promise<void> {
  const seconds = Math.round((expiresAt.getTime() - Date.now()) / 1_000);
  const time = seconds < MINUTES_FROM ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  const isTerminal = process.stderr.isTTY;
  // Explicit black and white, so that the picture can be scanned whatever the terminal's colours are.
  const picture = renderUnicodeCompact(url, { border: 2 }).replace(/^.*$/gm, "\x1b[97;40m$&\x1b[0m");
  if (isTerminal) process.stderr.write(`\n${picture}\n`);
  printMessage(`Open ${plain(url)}\nand check that the letters match: ${plain(code)}\nThe code expires in ${time}.`);
  if (mayOpen && openBrowser(url)) printMessage("Your browser should show the page now.");
}

/** As the user will see this program called. */
function thisComputer(): string {
  const host = hostname()
    .replace(/\..*|[^\w.-]/g, "")
    .slice(0, MAX_NAME - "latchkey on ".length);
  return host ? `latchkey on ${host}` : "latchkey";
}

export const logout = command("logout", "Forget this computer's token", "logout")
  .argument("[address]", "The service; without it, the last one")
  .action(async (input, { json }) => {
    const address = input ? addressOf(input) : defaultAddress();
    if (!address || !removeToken(address))
      throw new Failure(EXIT.signInNeeded, "not_signed_in", "You are not signed in. Nothing was changed.");
    print(
      { address, isForgotten: true },
      json,
      `Signed out. To stop the token from working, remove it at ${address}/account`,
    );
  });

export const whoami = command("whoami", "Show who is signed in, and what they have stored", "whoami").action(
  async ({ json }) => {
    const latchkey = session();
    const me = await latchkey.me({ signal: interrupted });
    const more = "files" in me ? `, who holds ${amount(me.keys, "key", "keys")} and ${stored(me.files.entries)}` : "";
    print({ ...me, address: latchkey.address }, json, `${plain(me.username)} at ${latchkey.address}${more}`);
  },
);

const amount = (number: number, one: string, many: string) =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** As pages count them: without the root, which is an entry of the document, too. */
const stored = (entries: number) => amount(Math.max(0, entries - 1), "file or folder", "files and folders");
