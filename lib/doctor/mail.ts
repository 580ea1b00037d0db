import { db } from "@/lib/db/client";
import { durationInWords } from "@/lib/in-words";
import { hasMail, tryServer } from "@/lib/mail/transport";
import { GIVE_UP_MS } from "@/lib/stated-bounds";
import type { Finding } from "./finding";

const HOUR_MS = 60 * 60_000;

/** Whether the mail server takes messages, and whether some wait for it. */
export async function* mail(now: Date): AsyncGenerator<Finding> {
  if (!hasMail()) {
    const addresses = await db.emailAddress.count({ where: { address: { not: null } } });
    if (addresses > 0)
      yield {
        check: "mail",
        problem:
          addresses === 1
            ? "1 e-mail address is stored, and no server sends to it."
            : `${addresses} e-mail addresses are stored, and no server sends to them.`,
        advice: "Set SMTP_URL and MAIL_FROM. Until then, these users get no recovery links and no notices.",
      };
    return;
  }
  const problem = await tryServer();
  if (problem?.code === "EAUTH")
    yield {
      check: "mail",
      problem: `The mail server in SMTP_URL refuses the login (${problem.status ?? problem.code}).`,
      advice: "Check the user and the password in SMTP_URL; special characters are percent-encoded.",
    };
  else if (problem)
    yield {
      check: "mail",
      problem: `The mail server in SMTP_URL cannot be used (${problem.code}).`,
      advice: "Check its host and port, and whether it takes TLS: smtps:// at once, smtp:// after STARTTLS.",
    };
  const waiting = await db.mail.count({ where: { createdAt: { lt: new Date(now.getTime() - HOUR_MS) } } });
  if (waiting > 0)
    yield {
      check: "mail",
      problem: `${waiting} messages have waited for more than ${durationInWords(HOUR_MS / 1_000)}.`,
      advice: `The log says why. They are tried again for ${durationInWords(GIVE_UP_MS / 1_000)}.`,
    };
}
