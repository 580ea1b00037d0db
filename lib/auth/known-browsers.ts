import { z } from "zod";
import { newId } from "@/lib/ids";
import { keyedHashes, seal, unseal } from "@/lib/secrets";

/**
 * The cookie of a browser that has signed in before (OWASP, "Slow down online guessing attacks with device cookies").
 */
export const KNOWN_BROWSER_COOKIE = "known";
export const KNOWN_BROWSER_SECONDS = 365 * 24 * 3600;
/** How many accounts sharing a browser stay known: the cookie is sent with every request. */
const ACCOUNTS = 3;
const CONTEXT = "known browser";

const known = z.array(z.object({ user: z.string(), browser: z.string(), password: z.string() })).max(ACCOUNTS);
type Known = z.infer<typeof known>;

interface Account {
  id: string;
  passwordHash: string | null;
}

/**
 * The name of the browser with this cookie, if it has signed in to the account under its current password; otherwise
 * undefined. A password change invalidates every earlier cookie, including stolen ones.
 */
export function knownBrowser(cookie: string | undefined, account: Account): string | undefined {
  return open(cookie).find(({ user, password }) => user === account.id && passwordMarks(account).includes(password))
    ?.browser;
}

/** The cookie of a browser that has just signed in: the former cookie with this account first. */
export function rememberBrowser(cookie: string | undefined, account: Account): string {
  const browser = knownBrowser(cookie, account) ?? newId();
  const others = open(cookie).filter(({ user }) => user !== account.id);
  const remembered: Known = [{ user: account.id, browser, password: passwordMarks(account)[0] }, ...others].slice(
    0,
    ACCOUNTS,
  );
  return seal("known browsers", JSON.stringify(remembered), CONTEXT);
}

function open(cookie: string | undefined): Known {
  if (!cookie) return [];
  try {
    return known.parse(JSON.parse(unseal("known browsers", cookie, CONTEXT)));
  } catch {
    return [];
  }
}

/** Marks that change with the password, under each secret. */
function passwordMarks({ id, passwordHash }: Account): [string, ...string[]] {
  const [first, ...others] = keyedHashes("known browsers", `${id} ${passwordHash ?? ""}`).map((mark) =>
    mark.slice(0, 16),
  );
  return [first ?? "", ...others];
}
