import type { MailFacts } from "@/lib/accounts/ways-in/mail/letters";
import { hasMail, tryServer } from "@/lib/accounts/ways-in/mail/transport";
import { counted, durationInWords, GIVE_UP_MS } from "@/lib/platform/bounds";
import { db } from "@/lib/platform/db/client";
import { HOUR_MS } from "@/lib/platform/time";
import type { Fault } from "./finding";

/** Whether the mail server takes messages, and whether some wait for it. */
export async function* mail(now: Date): AsyncGenerator<Fault> {
  if (!hasMail()) {
    const addresses = await db.emailAddress.count({ where: { address: { not: null } } });
    if (addresses > 0)
      yield {
        problem: `${counted(addresses, "e-mail address is", "e-mail addresses are")} stored, but SMTP_URL is not set.`,
        advice: "Set SMTP_URL and MAIL_FROM. Until then, these users get no recovery links and no notices.",
      };
    return;
  }
  const problem = await tryServer();
  if (problem?.code === "EAUTH")
    yield {
      problem: `The mail server in SMTP_URL refuses the login (${problem.response ?? problem.code}).`,
      advice: "Check the user and the password in SMTP_URL; special characters are percent-encoded.",
    };
  else if (problem)
    yield {
      problem: `The mail server in SMTP_URL cannot be used (${problem.response ?? problem.code}).`,
      advice: "Check its host and port, and how it uses TLS: smtps:// from the start, smtp:// after STARTTLS.",
    };
  const refused = await db.mail.findFirst({ where: { attempts: { gt: 0 } }, orderBy: { nextAt: "desc" } });
  const { refusal }: MailFacts = JSON.parse(refused?.facts ?? "{}");
  if (!problem && refusal)
    yield {
      problem: `The mail server in SMTP_URL did not take a message (${refusal}).`,
      advice: "Its administrator knows why. Messages are greeted and sent in the name of NEXTAUTH_URL and MAIL_FROM.",
    };
  const waiting = await db.mail.count({ where: { createdAt: { lt: new Date(now.getTime() - HOUR_MS) } } });
  if (waiting > 0)
    yield {
      problem:
        `${counted(waiting, "message has", "messages have")} waited for more than ` +
        `${durationInWords(HOUR_MS / 1_000)}.`,
      advice: `The log says why. They are tried again for ${durationInWords(GIVE_UP_MS / 1_000)}.`,
    };
}
