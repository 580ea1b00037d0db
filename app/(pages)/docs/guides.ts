/** The guides, in the order in which the pages list them. */
export const GUIDES = [
  {
    href: "/docs/guides/command-line",
    name: "Sign in: command line",
    title: "Sign a user in from a command-line tool",
    words: "link code terminal login token bash node python qr expired denied poll interval secret",
  },
  {
    href: "/docs/guides/desktop",
    name: "Sign in: game or desktop app",
    title: "Sign a user in from a game or desktop app",
    words: "link code login token store keychain unity electron qr cancel offline sign out refresh",
  },
  {
    href: "/docs/guides/browser",
    name: "Sign in: browser page",
    title: "Sign a user in from a browser page",
    words: "link code login web cors javascript https tab",
  },
  {
    href: "/docs/guides/keys",
    name: "Sell access with keys",
    title: "Sell access with keys",
    words: "licence entitlement holder buyer payment webhook shop revoke refund subscription",
  },
  {
    href: "/docs/guides/offline-licence",
    name: "A licence that works offline",
    title: "A licence that works offline",
    words: "offline proof signed jwt jwks key check without network",
  },
  {
    href: "/docs/guides/who-is-playing",
    name: "Let your server know who is playing",
    title: "Let your server know who is playing",
    words: "validator game server identity jwt jwks audience player",
  },
  {
    href: "/docs/guides/backup",
    name: "Back up a user's files",
    title: "Back up a user's files",
    words: "read-files download etag range resume document import upload restore",
  },
  {
    href: "/docs/guides/production",
    name: "Run it in production",
    title: "Run it in production",
    words: "deploy proxy tls nginx docker backup environment",
  },
  {
    href: "/docs/guides/existing-clients",
    name: "Use an existing client",
    title: "Use an existing client",
    words: "compatible client migrate",
  },
] as const;

export type GuidePath = (typeof GUIDES)[number]["href"];
