// npm run demo:link [address]: the other side of /link: a program that is linked by six letters, using only the
// documented API
import "./output.mjs";
import { networkInterfaces } from "node:os";
import { renderUnicodeCompact } from "uqr";
import { z } from "zod";
import { plain } from "@/lib/platform/safe-text";
import {
  type Code,
  json,
  length,
  newCode,
  type RequestOptions,
  request,
  ServiceRefusal,
  waitForToken,
} from "./demo-link-client";

const { stdout } = process;
const leaving = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => leaving.abort());
const options = { print: (line: string) => console.log(line), stop: leaving.signal };

function serviceAddress(): URL {
  const input = process.argv[2] ?? `http://localhost:${process.env.PORT ?? 3000}`;
  if (!URL.canParse(input) || !/^https?:/.test(input))
    throw new ServiceRefusal(`“${input}” is not a valid address. Usage: npm run demo:link -- http://localhost:3000`);
  return new URL(input);
}

/** The address for a phone in the same network, if only this machine can open `page`. */
function addressForPhones({ protocol, hostname, port }: URL): string | undefined {
  if (!/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return;
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4");
  return `${protocol}//${outer?.address ?? "<address of this machine>"}${port && `:${port}`}`;
}

async function show({ code, page, expiresAt }: Code): Promise<void> {
  // A terminal gets explicit black and white, so that the picture can be scanned whatever its colours are.
  const drawn = renderUnicodeCompact(page, { border: 2 });
  const picture = stdout.isTTY ? drawn.replace(/^.*$/gm, "\x1b[97;40m$&\x1b[0m") : drawn;
  const minutes = Math.round((expiresAt - Date.now()) / 60_000);
  options.print(`\n${largeCode(code, stdout.columns ?? 80)}\n\n${picture}`);
  options.print(
    `Open ${plain(page)}\nor scan the QR code, and check that the letters match: ${code}. You have ${minutes} minutes.`,
  );
  const forPhones = addressForPhones(new URL(page));
  if (forPhones)
    options.print(`A phone cannot open that address. To link with a phone, run: npm run demo:link -- ${forPhones}`);
  options.print("Waiting for you to link it.");
}

async function link(service: URL): Promise<string> {
  for (;;) {
    const code = await newCode(service, options);
    await show(code);
    const token = await waitForToken(service, code, options);
    if (token) return token;
    options.print("\nThis code has expired. Here is a new one.");
  }
}

const SHOWN_KEYS = 5;

const me = z.object({ username: z.string() });
const mine = z.array(z.object({ key: z.string(), name: z.string(), creator: z.string() }));

/** Prints what the linked user has, without secrets. */
export async function introduce(service: URL, options: RequestOptions & { token: string }): Promise<void> {
  const get = async <Shape>(path: string, shape: z.ZodType<Shape>) => {
    const { status, body } = await request(new URL(path, service), options, json(shape));
    if (status !== 200 || !body) throw refusal(path, status);
    return body;
  };

  const { username } = await get("/me", me);
  options.print(`\nLinked to ${plain(username)}. The token is ${masked(options.token)}`);

  const keys = await get("/keys/mine", mine);
  options.print(`Keys:  ${keys.length === 0 ? "none yet" : keys.length}`);
  for (const { key, name, creator } of keys.slice(0, SHOWN_KEYS))
    options.print(`       ${plain(name || key)}, created by ${plain(creator)}`);
  if (keys.length > SHOWN_KEYS) options.print(`       and ${keys.length - SHOWN_KEYS} more`);

  const files = await request(new URL("/read-files", service), options, length);
  if (files.status !== 200 && files.status !== 404) throw refusal("/read-files", files.status);
  options.print(`Files: ${files.status === 200 ? `${files.body.toLocaleString("en")} bytes` : "none yet"}`);
}

function refusal(path: string, status: number): ServiceRefusal {
  return new ServiceRefusal(
    status === 401 ? "Access has been revoked." : `Unexpected response from ${path} (${status}).`,
  );
}

function masked(token: string): string {
  return `${token.slice(0, 3)}${"•".repeat(12)}`;
}

const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ";
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
function largeCode(code: string, columns: number): string {
  const isRoomy = columns > 2 * WIDTH * code.length;
  const lines = ROWS.map((row) =>
    [...code].map((character) => row.slice(ALPHABET.indexOf(character) * WIDTH).slice(0, WIDTH)).join(""),
  );
  return lines.map((line) => `  ${isRoomy ? line.replace(/./g, "$&$&") : line}`.trimEnd()).join("\n");
}

try {
  const service = serviceAddress();
  if (!process.argv[2])
    options.print(`Connecting to ${service.origin}. For another one: npm run demo:link -- <address>`);
  const token = await link(service);
  await introduce(service, { ...options, token });
} catch (error) {
  if (leaving.signal.aborted) {
    console.log("\nStopped.");
    process.exitCode = 130;
  } else if (error instanceof ServiceRefusal) {
    console.error(error.message);
    process.exitCode = 1;
  } else throw error;
}
