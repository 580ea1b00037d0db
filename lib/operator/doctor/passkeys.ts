import { passkeyHost } from "@/lib/accounts/identity/relying-party";
import { counted } from "@/lib/platform/bounds";
import { db } from "@/lib/platform/db/client";
import { type Fault, MAX_PER_KIND } from "./finding";

/** Passkeys of another host, which no browser offers here: the service was moved, or NEXTAUTH_URL is wrong. */
export async function* passkeys(): AsyncGenerator<Fault> {
  const here = passkeyHost();
  const hosts = await db.passkey.groupBy({
    by: ["host"],
    where: here === null ? {} : { host: { not: here } },
    _count: true,
    orderBy: { host: "asc" },
    take: MAX_PER_KIND,
  });
  const where = here === null ? "here" : `at ${here}`;
  for (const { host, _count } of hosts)
    yield {
      problem: `${counted(_count, "passkey belongs", "passkeys belong")} to ${host} and cannot be used ${where}.`,
      advice:
        `If people should open the service at https://${host}, set NEXTAUTH_URL to that. If it has moved, users sign ` +
        "in with a password and add new passkeys; set a password for those who have none with user:password.",
    };
}
