import { setTimeout as sleep } from "node:timers/promises";
import type { Transporter } from "nodemailer";
import { env } from "@/lib/env";
import type { Letter } from "./letters";
import { pageOf, textOf } from "./template";

/** A server that says nothing for so long is away. */
const SILENCE_MS = 5_000;
/** How long sending one message may take in all, also to a server that speaks slowly. */
export const SENDING_MS = 30_000;

/** Whether e-mail is set up. Without it, nothing about it is shown or stored. */
export const hasMail = () => env.SMTP_URL !== undefined;

/** Why a message was not sent. Without the server's words, which may repeat the address. */
export interface SendingProblem {
  code: string;
  /** The server's status, and the command that it answered. */
  status?: number;
  command?: string;
  /** The server refuses this recipient or message for good. */
  isFinal: boolean;
  /** It is about the server, not about this message. */
  isAboutServer: boolean;
}

/** Loaded when first needed: services without e-mail never do. */
async function open(): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { hostname, password } = new URL(String(env.SMTP_URL));
  const isHere = /^(?:localhost|127\..*|\[::1\])$/.test(hostname);
  return createTransport({
    url: env.SMTP_URL,
    // A password never goes over the network in the clear.
    ...(password !== "" && !isHere && { requireTLS: true }),
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Sends one message. Returns null, or why it was not sent. */
export async function sendLetter(address: string, letter: Letter): Promise<SendingProblem | null> {
  return attempt(async (transport) => {
    await transport.sendMail({
      from: env.MAIL_FROM,
      // As an object, it is never parsed as a list.
      to: { name: "", address },
      subject: letter.subject,
      text: textOf(letter),
      html: pageOf(letter),
      headers: { "Auto-Submitted": "auto-generated" },
    });
  });
}

/** Whether the server can be reached and accepts the login. Returns null, or what is wrong. */
export const tryServer = () => attempt((transport) => transport.verify());

async function attempt(work: (transport: Transporter) => Promise<unknown>): Promise<SendingProblem | null> {
  const ended = new AbortController();
  try {
    const transport = await open();
    const tooLong = sleep(SENDING_MS, undefined, { ref: false, signal: ended.signal }).then(() => {
      throw Object.assign(new Error("It took too long."), { code: "ETIMEDOUT" });
    });
    await Promise.race([work(transport), tooLong]);
    return null;
  } catch (error) {
    return problemOf(error);
  } finally {
    ended.abort();
  }
}

function problemOf(thrown: unknown): SendingProblem {
  const {
    code = "unknown",
    responseCode: status,
    command,
  } = thrown as Record<string, string | undefined> & {
    responseCode?: number;
  };
  const isAboutMessage = command === "RCPT TO" || command === "DATA" || code === "EENVELOPE" || code === "EMESSAGE";
  const isAboutSender = command === "MAIL FROM";
  return {
    code,
    status,
    command,
    isFinal: isAboutMessage && !isAboutSender && (status === undefined || status >= 500),
    isAboutServer: !isAboutMessage || isAboutSender,
  };
}
