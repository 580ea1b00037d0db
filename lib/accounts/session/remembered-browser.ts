import { z } from "zod";
import { keyedHashes, seal, unseal } from "@/lib/platform/crypto/secrets";
import { newId } from "@/lib/platform/ids";

/**
 * The cookie of a browser that has signed in before (OWASP, "Slow down online guessing attacks with device cookies").
 */
export const REMEMBERED_BROWSER_COOKIE = "known";
export const REMEMBERED_BROWSER_SECONDS = 365 * 24 * 3600;
/** How many accounts remember a shared browser: the cookie is sent with every request. */
const ACCOUNTS = 3;
const CONTEXT = "known browser";

const rememberedBrowsers = z
  .array(z.object({ user: z.string(), browser: z.string(), password: z.string() }))
  .max(ACCOUNTS);
type RememberedBrowsers = z.infer<typeof rememberedBrowsers>;

interface Account {
  id: string;
  passwordHash: string | null;
}

/**
 * The name of the browser with this cookie, if it has signed in to the account under its current password; otherwise
 * undefined. A password change invalidates every earlier cookie, including stolen ones.
 */
export function rememberedBrowser(cookie: string | undefined, account: Account): string | undefined {
  return open(cookie).find(({ user, password }) => user === account.id && passwordTags(account).includes(password))
    ?.browser;
}

/** The cookie of a browser that has just signed in: the former cookie with this account first. */
export function rememberBrowser(cookie: string | undefined, account: Account): string {
  const browser = rememberedBrowser(cookie, account) ?? newId();
  const others = open(cookie).filter(({ user }) => user !== account.id);
  const remembered: RememberedBrowsers = [
    { user: account.id, browser, password: passwordTags(account)[0] },
    ...others,
  ].slice(0, ACCOUNTS);
  return seal("known browsers", JSON.stringify(remembered), CONTEXT);
}

function open(cookie: string | undefined): RememberedBrowsers {
  if (!cookie) return [];
  try {
    return rememberedBrowsers.parse(JSON.parse(unseal("known browsers", cookie, CONTEXT)));
  } catch {
    return [];
  }
}

/** Tags that change with the password, under each secret. */
function passwordTags({ id, passwordHash }: Account): [string, ...string[]] {
  const [first, ...others] = keyedHashes("known browsers", `${id} ${passwordHash ?? ""}`).map((hash) =>
    hash.slice(0, 16),
  );
  return [first ?? "", ...others];
}
