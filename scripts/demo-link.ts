// npm run demo:link [address]: the other side of /link: a program that is linked by six letters, using only the
// documented API

import { networkInterfaces } from "node:os";
import QRCode from "qrcode";
import { ServiceRefusal } from "./demo-link/ask";
import { largeLetters } from "./demo-link/large-letters";
import { type Code, newCode, waitForToken } from "./demo-link/link";
import { introduce } from "./demo-link/user";

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
  const picture = await QRCode.toString(page, stdout.isTTY ? { type: "terminal", small: true } : { type: "utf8" });
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
