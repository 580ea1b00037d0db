import type { RecentLink } from "@/lib/link/operator";
import type { LinkStatus } from "@/lib/link/states";

/** What each state is called. */
export const STATUS_WORDS: Record<LinkStatus, string> = {
  pending: "Waiting",
  approved: "Approved, not collected",
  denied: "Denied or ended",
  expired: "Expired",
  collected: "Linked",
};

type Kind = "all" | "contested" | LinkStatus;

/** The kinds of requests that the page can show, by how an address asks for them. */
export const KINDS: { name: Kind; words: string }[] = [
  { name: "all", words: "All" },
  ...(Object.keys(STATUS_WORDS) as LinkStatus[]).map((name) => ({ name, words: STATUS_WORDS[name] })),
  { name: "contested", words: "Known to others" },
];

/** Whether a request is of this kind. Others know its code if they polled for it or entered it, too. */
export function isShown(kind: Kind, { status, onlookers, entries }: RecentLink): boolean {
  if (kind === "contested") return onlookers > 0 || entries > 1;
  return kind === "all" || kind === status;
}

/** The kind that an address asks for; otherwise all. */
export const readKind = (asked = ""): Kind => KINDS.find(({ name }) => name === asked)?.name ?? "all";
