import type { Access } from "@/lib/platform/access";

/** What a token of each access may do, in a few words. */
export const ACCESS_WORDS: Record<Access, string> = {
  everything: "Everything",
  read: "Read keys and files",
  identity: "Know who you are (name and role only)",
};
