import { db } from "@/lib/db/client";
import { passkeyHost } from "@/lib/passkeys/relying-party";
import type { Finding } from "./finding";

/** Findings per kind; more would add nothing. */
const MOST = 20;

/** Passkeys of another host, which no browser offers here: the service was moved, or NEXTAUTH_URL is wrong. */
export async function* passkeys(): AsyncGenerator<Finding> {
  const here = passkeyHost();
  const hosts = await db.passkey.groupBy({
    by: ["host"],
    where: here === null ? {} : { host: { not: here } },
    _count: true,
    orderBy: { host: "asc" },
    take: MOST,
  });
  const where = here === null ? "here" : `at ${here}`;
  for (const { host, _count } of hosts)
    yield {
      check: "passkeys",
      problem: `Of all passkeys, ${_count} belong to ${host} and cannot be used ${where}.`,
      advice:
        `If the service is to be opened at https://${host}, set NEXTAUTH_URL to that. If it has moved, users sign in ` +
        "with a password and add new passkeys; set a password for those who have none with user:password.",
    };
}
