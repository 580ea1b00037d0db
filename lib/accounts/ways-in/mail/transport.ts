import { isIPv4 } from "node:net";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Transporter } from "nodemailer";
import { env } from "@/lib/platform/env";
import type { Letter } from "./letters";
import { pageOf, textOf } from "./letters";

const MINUTE_MS = 60_000;

/** How long a server is waited for, in ms: RFC 5321, section 4.5.3.2, has minutes for each of its responses. */
export interface Patience {
  /** Until it can be reached. */
  connecting: number;
  greeting: number;
  /** Until each other response: the longest is the one after the complete message. */
  responding: number;
  /** For one message in all, also to a server that speaks slowly. */
  sending: number;
}

export const PATIENCE: Patience = {
  connecting: MINUTE_MS,
  greeting: 5 * MINUTE_MS,
  responding: 10 * MINUTE_MS,
  sending: 30 * MINUTE_MS,
};
/** Of somebody who checks whether there is a server. */
const CHECKING: Patience = { connecting: 10_000, greeting: 30_000, responding: 30_000, sending: MINUTE_MS };

/** Whether e-mail is set up. Without it, nothing about it is shown or stored. */
export const hasMail = () => env.SMTP_URL !== undefined;

/** Why a message was not sent. */
export interface SendingProblem {
  code: string;
  /** What the server said, if it did, on one line and without addresses: it may repeat that of the message. */
  response?: string;
  /** The server's status, and the command that it responded to. */
  status?: number;
  command?: string;
  /** The server refuses this recipient or message for good. */
  isFinal: boolean;
  /** It is about the server, not about this message. */
  isAboutServer: boolean;
  /** The server got the complete message, and did not report what became of it. */
  isPerhapsSent: boolean;
}

/**
 * How this service greets a mail server (RFC 5321, section 4.1.4): the first that is an address, or a name with a dot,
 * of those that people reach it by, the machine's, and the sender's domain. Strict servers refuse others.
 */
function ownName(): string | undefined {
  const host = env.NEXTAUTH_URL ? new URL(env.NEXTAUTH_URL).hostname.replace(/\.$/, "") : "";
  if (host.startsWith("[")) return `[IPv6:${host.slice(1)}`;
  if (isIPv4(host)) return `[${host}]`;
  return [host, hostname(), senderOf(String(env.MAIL_FROM)).address.split("@").pop()].find((name) =>
    name?.includes("."),
  );
}

/** "Name <address>", or the address alone. */
function senderOf(text: string): { name: string; address: string } {
  const [, name = "", address = text] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? [];
  const quoted = /^"(.*)"$/.exec(name.trim())?.[1]?.replace(/\\(.)/g, "$1");
  return { name: quoted ?? name.trim(), address };
}

/** Loaded when first needed: services without e-mail never do. */
async function open({ connecting, greeting, responding }: Patience): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { hostname: server, password, searchParams } = new URL(String(env.SMTP_URL));
  const isHere = /^(?:localhost|127\..*|\[::1\])$/.test(server);
  return createTransport({
    url: env.SMTP_URL,
    ...(!searchParams.has("name") && { name: ownName() }),
    // A password never goes over the network in the clear.
    ...(password !== "" && !isHere && { requireTLS: true }),
    connectionTimeout: connecting,
    greetingTimeout: greeting,
    socketTimeout: responding,
    dnsTimeout: connecting,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Sends one message. Returns null, or why it was not sent. */
export function sendLetter(address: string, letter: Letter, patience = PATIENCE): Promise<SendingProblem | null> {
  const progress = { isComplete: false };
  return attempt(patience, progress, async (transport) => {
    transport.use("stream", ({ message }, done) => {
      // What the connection itself reads: all before it is buffered.
      message.processFunc((body) => body.once("end", () => (progress.isComplete = true)));
      done();
    });
    await transport.sendMail({
      // As objects, they are never parsed as lists or groups.
      from: senderOf(String(env.MAIL_FROM)),
      to: { name: "", address },
      subject: letter.subject,
      text: textOf(letter),
      html: pageOf(letter),
      headers: { "Auto-Submitted": "auto-generated" },
    });
  });
}

/** Whether the server can be reached and accepts the login. Returns null, or what is wrong. */
export const tryServer = () => attempt(CHECKING, { isComplete: false }, (transport) => transport.verify());

async function attempt(
  patience: Patience,
  progress: { isComplete: boolean },
  work: (transport: Transporter) => Promise<unknown>,
): Promise<SendingProblem | null> {
  const ended = new AbortController();
  try {
    const transport = await open(patience);
    const tooLong = sleep(patience.sending, undefined, { ref: false, signal: ended.signal }).then(() => {
      throw Object.assign(new Error("It took too long."), { code: "ETIMEDOUT" });
    });
    await Promise.race([work(transport), tooLong]);
    return null;
  } catch (error) {
    return problemOf(error, progress.isComplete);
  } finally {
    ended.abort();
  }
}

function problemOf(thrown: unknown, isComplete: boolean): SendingProblem {
  const {
    code = "unknown",
    responseCode: status,
    command,
    response,
  } = thrown as Record<string, string | undefined> & {
    responseCode?: number;
  };
  const isAboutMessage = command === "RCPT TO" || command === "DATA" || code === "EENVELOPE" || code === "EMESSAGE";
  const isAboutSender = command === "MAIL FROM";
  return {
    code,
    response: response && withoutAddresses(response),
    status,
    command,
    isFinal: isAboutMessage && !isAboutSender && (status === undefined || status >= 500),
    isAboutServer: !isAboutMessage || isAboutSender,
    isPerhapsSent: isComplete && status === undefined,
  };
}

const MAX_RESPONSE = 300;

const withoutAddresses = (response: string) =>
  response
    .replace(/[^\x20-\x7e]+/g, " ")
    .replace(/[^\s<>(]*@[^\s<>)]*/g, "(address)")
    .slice(0, MAX_RESPONSE);
