import { durationInWords, LINK_HOURS } from "@/lib/platform/bounds";
import { env } from "@/lib/platform/env";

/** What users are notified of when it happens to their account. */
export type NoticeKind =
  | "passkey added"
  | "passkey removed"
  | "provider connected"
  | "password changed"
  | "program linked"
  | "address changed"
  | "address removed";

export type MailKind = NoticeKind | "verification" | "recovery";

/** What is known of an event: nothing that somebody may write as they like. No message carries a stranger's text. */
export interface MailFacts {
  network?: string;
  browser?: string;
  /** It was requested in a browser that has signed in to the account. */
  isKnown?: boolean;
  /** How often the mail server got the complete message, but did not report what became of it. */
  perhapsSent?: number;
  /** What the mail server said when it last did not take the message, for the operator. */
  refusal?: string;
}

/** A message in words. */
export interface Letter {
  subject: string;
  paragraphs: string[];
  action?: { label: string; link: string };
  end: string[];
}

const HAPPENED: Record<NoticeKind, { subject: string; sentence: string }> = {
  "passkey added": { subject: "A passkey was added", sentence: "A passkey was added to" },
  "passkey removed": { subject: "A passkey was removed", sentence: "A passkey was removed from" },
  "provider connected": {
    subject: "Another way to sign in was connected",
    sentence: "An account with another service was connected, and can now be used to sign in to",
  },
  "password changed": { subject: "Your password was changed", sentence: "A new password was set for" },
  "program linked": {
    subject: "A program on another network was linked",
    sentence: "A program on a different network from your browser's was linked to",
  },
  "address changed": {
    subject: "Your e-mail address was changed",
    sentence: "Another e-mail address was verified for",
  },
  "address removed": { subject: "Your e-mail address was removed", sentence: "This e-mail address was removed from" },
};

const WORKS_ONCE = `The link works once, for ${durationInWords(LINK_HOURS * 3_600)}.`;

/** Whether a message of this kind is about something that happened. */
export const isNotice = (kind: string): kind is NoticeKind => Object.hasOwn(HAPPENED, kind);

const host = () => new URL(String(env.NEXTAUTH_URL)).host;

/** The link with which a user sets a new password. */
export function recoveryLetter(username: string, link: string, { network }: MailFacts): Letter {
  return {
    subject: "Set a new password",
    paragraphs: [
      `Someone asked for a link to set a new password for the account ${username} at ${host()}` +
        `${network ? `, from the network ${network}` : ""}.`,
      WORKS_ONCE,
    ],
    action: { label: "Set a new password", link },
    end: ["If it wasn't you, ignore this message. Your password stays as it is. Don't pass the link on."],
  };
}

/** The link with which a user shows that messages to the address arrive. */
export function verificationLetter(username: string, link: string): Letter {
  return {
    subject: "Verify your e-mail address",
    paragraphs: [
      `The account ${username} at ${host()} wants to use this e-mail address for lost passwords and notices.`,
      WORKS_ONCE,
    ],
    action: { label: "Verify this address", link },
    end: ["If it wasn't you, ignore this message. The address won't be used."],
  };
}

/** Tells a user what happened to the account, and what to do if it was somebody else. */
export function noticeLetter(
  kind: NoticeKind,
  username: string,
  { at, network, browser }: Pick<MailFacts, "network" | "browser"> & { at: Date },
): Letter {
  const { subject, sentence } = HAPPENED[kind];
  const details = [
    `When: ${at.toISOString().slice(0, 16).replace("T", " ")} UTC`,
    ...(browser ? [`Browser: ${browser}`] : []),
    ...(network ? [`Network: ${network}`] : []),
  ];
  return {
    subject,
    paragraphs: [`${sentence} the account ${username} at ${host()}.`, ...details],
    action: { label: "Check your account", link: `${env.NEXTAUTH_URL}/account` },
    end: [
      "If it was you, there is nothing to do. If it wasn't, change your password, sign out all other browsers, and " +
        "remove anything you don't recognise. If you can't sign in any more, select “Forgot your password?” on " +
        "the sign-in " +
        "page.",
    ],
  };
}

const ESCAPED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => String(ESCAPED[sign]));

/** The message as plain text. */
export function textOf({ paragraphs, action, end }: Letter): string {
  const parts = [...paragraphs, ...(action ? [`${action.label}:\n${action.link}`] : []), ...end, "Latchkey"];
  return `${parts.join("\n\n")}\n`;
}

/** The same as simple HTML, which loads nothing. */
export function pageOf({ subject, paragraphs, action, end }: Letter): string {
  const paragraph = (text: string) => `<p>${escaped(text)}</p>`;
  const link = action && escaped(action.link);
  const button =
    action &&
    `<p><a href="${link}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#1f4fd8;` +
      `color:#ffffff;text-decoration:none">${escaped(action.label)}</a></p><p>${link}</p>`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    '<body style="font-family:sans-serif;font-size:16px;line-height:1.5;max-width:36em;margin:0 auto;padding:16px">',
    ...paragraphs.map(paragraph),
    ...(button ? [button] : []),
    ...end.map(paragraph),
    "<p>Latchkey</p></body></html>",
  ].join("\n");
}
