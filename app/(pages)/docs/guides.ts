/** The guides, in the order in which the pages list them. */
export const GUIDES = [
  {
    href: "/docs/guides/command-line",
    name: "Sign in: command line",
    title: "Sign a user in from a command-line tool",
  },
  {
    href: "/docs/guides/desktop",
    name: "Sign in: game or desktop app",
    title: "Sign a user in from a game or desktop app",
  },
  {
    href: "/docs/guides/browser",
    name: "Sign in: browser page",
    title: "Sign a user in from a browser page",
  },
  {
    href: "/docs/guides/keys",
    name: "Sell access with keys",
    title: "Sell access with keys",
  },
  {
    href: "/docs/guides/offline-licence",
    name: "A licence that works offline",
    title: "A licence that works offline",
  },
  {
    href: "/docs/guides/who-is-playing",
    name: "Let your server know who is playing",
    title: "Let your server know who is playing",
  },
  {
    href: "/docs/guides/backup",
    name: "Back up a user's files",
    title: "Back up a user's files",
  },
  {
    href: "/docs/guides/production",
    name: "Run it in production",
    title: "Run it in production",
  },
  {
    href: "/docs/guides/existing-clients",
    name: "Use an existing client",
    title: "Use an existing client",
  },
] as const;

export type GuidePath = (typeof GUIDES)[number]["href"];
