import type { Grant } from "@/lib/accounts/identity/access-tokens/create";
import type { Whereabouts } from "@/lib/link/view";
import type { Access } from "@/lib/platform/access";
import { counted } from "@/lib/platform/bounds";
import type { Losses } from "@/lib/user-data/delete";

const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** A size for people, like "12.3 MB". */
export function readableBytes(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toLocaleString("en", { maximumFractionDigits: 1 })} ${UNITS[power]}`;
}

/** What a token of each access may do, in a few words. */
export const ACCESS_WORDS: Record<Access, string> = {
  everything: "Everything",
  read: "Read keys and files",
  identity: "Know who you are (name and role only)",
};

/** What becomes of the keys that somebody created, when their account is deleted. */
export function keysLost({ keys, holders, areMoreHolders }: Losses, who: "you" | "they"): string {
  if (keys === 0) return `${who === "you" ? "You" : "They"} haven't created any keys.`;
  const deleted = `${counted(keys, `key ${who} created is`, `keys ${who} created are`)} deleted`;
  if (holders === 0) return `${deleted}. Nobody else holds ${keys === 1 ? "it" : "them"}.`;
  const others = counted(holders, "other holder loses", "other holders lose");
  return `${deleted}. ${areMoreHolders ? "At least " : ""}${others} access and will be told.`;
}

/** The origin that browsers send for a page that hides its own. */
const NAMES: Record<string, string> = { loopback: "the machine this service runs on", unknown: "an unknown network" };
const HIDDEN_PAGE = "null";

/** The name of a network for people. */
export function networkName(network: string): string {
  return NAMES[network] ?? network;
}

/**
 * Where something happened, from the viewer's point of view: "", ", from your network" or ", from another network:
 * 203.0.113.7, curl on Linux".
 */
export function describeWhereabouts({ network, isYours }: Whereabouts, program: string): string {
  if (isYours === undefined) return "";
  if (isYours) return ", from your network";
  const details = [network === null ? "" : networkName(network), program].filter((part) => part !== "").join(", ");
  return `, from another network${details && `: ${details}`}`;
}

/** The name of a web page for people: its host, in the letters that a browser shows for a name in another script. */
export function webPageName(origin: string): string {
  if (origin === HIDDEN_PAGE) return "A web page that hides its address";
  return `A web page at ${origin.replace(/^https?:\/\//, "")}`;
}

const DAYS = { never: null, "30": 30, "1": 1 };
export type TokenEnd = keyof typeof DAYS;

/** The choices of when a token expires, as forms offer them. */
export const ENDS: { value: TokenEnd; label: string }[] = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "1", label: "In 1 day" },
];

/** What a form's fields grant to a new token. */
export const grantOf = (access: Access, ends: TokenEnd): Grant => ({ access, days: DAYS[ends] });

/**
 * A name as a person can type it: composed accents, one space for any run of whitespace, and no invisible characters.
 */
export function typable(name: string): string {
  return name
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim();
}
