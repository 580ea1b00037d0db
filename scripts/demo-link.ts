// npm run demo:link [address]: the other side of /link: a program that is linked by six letters, using only the
// documented API
import "./output.mjs";
import { networkInterfaces } from "node:os";
import { renderUnicodeCompact } from "uqr";
import { z } from "zod";
import { type Asking, ask, type Code, json, length, newCode, ServiceRefusal, waitForToken } from "./demo-link-client";

const { stdout } = process;
const leaving = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => leaving.abort());
const asking = { say: (line: string) => console.log(line), stop: leaving.signal };

function serviceAddress(): URL {
  const typed = process.argv[2] ?? `http://localhost:${process.env.PORT ?? 3000}`;
  if (!URL.canParse(typed) || !/^https?:/.test(typed))
    throw new ServiceRefusal(`“${typed}” is not a valid address. Usage: npm run demo:link -- http://localhost:3000`);
  return new URL(typed);
}

/** The address for a phone in the same network, if only this machine can open `page`. */
function addressForPhones({ protocol, hostname, port }: URL): string | undefined {
  if (!/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return;
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4");
  return `${protocol}//${outer?.address ?? "<address of this machine>"}${port && `:${port}`}`;
}

async function show({ letters, page, expiresAt }: Code): Promise<void> {
  // A terminal gets explicit black and white, so that the picture can be scanned whatever its colours are.
  const plain = renderUnicodeCompact(page, { border: 2 });
  const picture = stdout.isTTY ? plain.replace(/^.*$/gm, "\x1b[97;40m$&\x1b[0m") : plain;
  const minutes = Math.round((expiresAt - Date.now()) / 60_000);
  asking.say(`\n${largeLetters(letters, stdout.columns ?? 80)}\n\n${picture}`);
  asking.say(
    `Open ${page}\nor scan the QR code, and check that the letters match: ${letters}. You have ${minutes} minutes.`,
  );
  const forPhones = addressForPhones(new URL(page));
  if (forPhones)
    asking.say(`A phone cannot open that address. To link with a phone, run: npm run demo:link -- ${forPhones}`);
  asking.say("Waiting for you to link it.");
}

async function link(service: URL): Promise<string> {
  for (;;) {
    const code = await newCode(service, asking);
    await show(code);
    const token = await waitForToken(service, code, asking);
    if (token) return token;
    asking.say("\nThis code has expired. Here is a new one.");
  }
}

const SHOWN_KEYS = 5;

const me = z.object({ username: z.string() });
const mine = z.array(z.object({ key: z.string(), name: z.string(), creator: z.string() }));

/** Prints what the linked user has, without secrets. */
export async function introduce(service: URL, asking: Asking & { token: string }): Promise<void> {
  const get = async <Shape>(path: string, shape: z.ZodType<Shape>) => {
    const { status, body } = await ask(new URL(path, service), asking, json(shape));
    if (status !== 200 || !body) throw refusal(path, status);
    return body;
  };

  const { username } = await get("/me", me);
  asking.say(`\nLinked to ${plain(username)}. The token is ${masked(asking.token)}`);

  const keys = await get("/keys/mine", mine);
  asking.say(`Keys:  ${keys.length === 0 ? "none yet" : keys.length}`);
  for (const { key, name, creator } of keys.slice(0, SHOWN_KEYS))
    asking.say(`       ${plain(name || key)}, created by ${plain(creator)}`);
  if (keys.length > SHOWN_KEYS) asking.say(`       and ${keys.length - SHOWN_KEYS} more`);

  const files = await ask(new URL("/read-files", service), asking, length);
  if (files.status !== 200 && files.status !== 404) throw refusal("/read-files", files.status);
  asking.say(`Files: ${files.status === 200 ? `${files.body.toLocaleString("en")} bytes` : "none yet"}`);
}

function refusal(path: string, status: number): ServiceRefusal {
  return new ServiceRefusal(
    status === 401 ? "Access has been revoked." : `Unexpected response from ${path} (${status}).`,
  );
}

function masked(token: string): string {
  return `${token.slice(0, 3)}${"•".repeat(12)}`;
}

/** Removes characters that would move the cursor or colour the terminal: others choose the names of keys. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "?");
}

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const WIDTH = 6;

const ROWS = [
  " ███  ████   ████ ████  █████ █████  ████ █   █     █ █   █ █     █   █ █   █ ████   ███  ████   " +
    "████ █████ █   █ █   █ █   █ █   █ █   █ █████ ",
  "█   █ █   █ █     █   █ █     █     █     █   █     █ █  █  █     ██ ██ ██  █ █   █ █   █ █   █ █   " +
    "    █   █   █ █   █ █   █  █ █   █ █     █  ",
  "█████ ████  █     █   █ ████  ████  █  ██ █████     █ ███   █     █ █ █ █ █ █ ████  █ █ █ ████   " +
    "███    █   █   █ █   █ █ █ █   █     █     █   ",
  "█   █ █   █ █     █   █ █     █     █   █ █   █ █   █ █  █  █     █   █ █  ██ █     █  █  █  █      " +
    "█   █   █   █  █ █  ██ ██  █ █    █    █    ",
  "█   █ ████   ████ ████  █████ █      ████ █   █  ███  █   █ █████ █   █ █   █ █      ██ █ █   █ " +
    "████    █    ███    █   █   █ █   █   █   █████ ",
];

/** The letters of a code, five lines high, as wide as `columns` allows. */
function largeLetters(code: string, columns: number): string {
  const isRoomy = columns > 2 * WIDTH * code.length;
  const lines = ROWS.map((row) =>
    [...code].map((letter) => row.slice(LETTERS.indexOf(letter) * WIDTH).slice(0, WIDTH)).join(""),
  );
  return lines.map((line) => `  ${isRoomy ? line.replace(/./g, "$&$&") : line}`.trimEnd()).join("\n");
}

try {
  const service = serviceAddress();
  if (!process.argv[2]) asking.say(`Connecting to ${service.origin}. For another one: npm run demo:link -- <address>`);
  const token = await link(service);
  await introduce(service, { ...asking, token });
} catch (error) {
  if (leaving.signal.aborted) {
    console.log("\nStopped.");
    process.exitCode = 130;
  } else if (error instanceof ServiceRefusal) {
    console.error(error.message);
    process.exitCode = 1;
  } else throw error;
}
