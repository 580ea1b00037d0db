import { type AddressInfo, createServer, type Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { env } from "@/lib/platform/env";
import { freePort } from "@/scripts/scratch-server";
import { runScript } from "@/tests/support/admin";
import { actionId } from "@/tests/support/call-action";
import { newNetwork, sendTo } from "@/tests/support/request";
import type { Service } from "@/tests/support/service";

interface Reader {
  username: string;
  address: string;
}

export async function makeReaders(
  { storage }: Service,
  count: number,
): Promise<{ readers: Reader[]; without: string[] }> {
  const env = { ...process.env, DATABASE_URL: "", ...storage, LOG_LEVEL: "silent" };
  return JSON.parse((await runScript("tests/mail/readers.ts", [String(count)], env)).stdout);
}

export async function askForLinkAt(url: string, username: string, more: Record<string, string> = {}): Promise<string> {
  const body = JSON.stringify([username]);
  const headers = {
    "Next-Action": actionId("requestLink"),
    Accept: "text/x-component",
    Origin: url,
    "Content-Type": "text/plain;charset=UTF-8",
    "Content-Length": String(body.length),
    ...more,
  };
  const sent = await sendTo(url, "/recover", { method: "POST", headers, body, network: newNetwork().id });
  return `${sent.status} ${sent.text}`;
}

export interface Received {
  to: string;
  raw: string;
  subject: string;
  text: string;
  html: string;
  link: string;
}

/** `silence`: it takes the message, and never says so. */
type Verdict = { status: number } | "accept" | "silence" | "names with a dot";

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

export async function mailServerOfFile(): Promise<MailServer> {
  const { NEXTAUTH_URL, MAIL_FROM, SMTP_URL } = env;
  const server = await startMailServer();
  const here = { NEXTAUTH_URL: "https://keys.example", MAIL_FROM: "Keys <keys@keys.example>", SMTP_URL: server.url };
  beforeAll(() => void Object.assign(env, here));
  afterAll(async () => {
    Object.assign(env, { NEXTAUTH_URL, MAIL_FROM, SMTP_URL });
    await server.stop();
  });
  return server;
}

/** A real SMTP server on loopback. `port`: the one that an earlier server had. */
export async function startMailServer(port?: number) {
  const received: Received[] = [];
  const asked: string[] = [];
  const greetings: string[] = [];
  let verdict: Verdict = "accept";
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      password === "right horse" ? done(null, { user: username }) : done(new Error("Wrong password")),
    onMailFrom(_, { hostNameAppearsAs }, done) {
      greetings.push(hostNameAppearsAs);
      done();
    },
    onRcptTo({ address }, { hostNameAppearsAs }, done) {
      asked.push(address);
      // As strict servers do, which know the name since the greeting.
      if (verdict === "names with a dot" && !/^[^[]+\.[^[]+$/.test(hostNameAppearsAs)) {
        const refusal = `<${hostNameAppearsAs}>: Helo command rejected: need fully-qualified hostname <${address}>`;
        return done(Object.assign(new Error(refusal), { responseCode: 450 }));
      }
      if (typeof verdict === "string") return done();
      done(Object.assign(new Error(`no mail for ${address}`), { responseCode: verdict.status }));
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part) => parts.push(part));
      stream.on("end", () => {
        const raw = Buffer.concat(parts).toString();
        for (const { address } of envelope.rcptTo) received.push(read(raw, address));
        if (verdict !== "silence") done();
      });
    },
  });
  server.on("error", () => {});
  const own = port ?? (await freePort());
  await new Promise<void>((resolve) => server.listen(own, "127.0.0.1", resolve));
  const mailTo = (address: string) => received.filter(({ to }) => to === address);
  return {
    url: `smtp://127.0.0.1:${own}`,
    received,
    asked,
    greetings,
    say(next: Verdict) {
      verdict = next;
    },
    async mailTo(address: string, count = 1) {
      await expect.poll(() => mailTo(address).length).toBeGreaterThanOrEqual(count);
      return mailTo(address);
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Until the test ends, servers are waited for so long at most. */
export async function waitOnly(ms: number): Promise<void> {
  const { PATIENCE } = await import("@/lib/accounts/ways-in/mail/transport");
  const usual = { ...PATIENCE };
  Object.assign(PATIENCE, { connecting: ms, greeting: ms, responding: ms });
  onTestFinished(() => void Object.assign(PATIENCE, usual));
}

export async function startSilentServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function read(raw: string, to: string): Received {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? "";
  const part = (type: string) => {
    const found = raw.split(`--${boundary}`).find((one) => one.includes(`Content-Type: ${type}`)) ?? "";
    const [head = "", ...body] = found.split("\r\n\r\n");
    const text = body.join("\r\n\r\n");
    return /quoted-printable/.test(head) ? unquoted(text) : text;
  };
  const text = part("text/plain");
  return {
    to,
    raw,
    subject: /^Subject: (.*)$/m.exec(raw)?.[1]?.trim() ?? "",
    text,
    html: part("text/html"),
    link: /https?:\/\/\S+#\S+/.exec(text)?.[0] ?? "",
  };
}

function unquoted(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
