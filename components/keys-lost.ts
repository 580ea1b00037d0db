import type { Losses } from "@/lib/user-data/delete";

/** What becomes of the keys that somebody created, when their account is deleted. */
export function keysLost({ keys, holders, areMoreHolders }: Losses, who: "you" | "they"): string {
  if (keys === 0) return `${who === "you" ? "You" : "They"} haven't created any keys.`;
  const gone = `${count(keys, `key ${who} created is`, `keys ${who} created are`)} deleted`;
  if (holders === 0) return `${gone}. Nobody else holds ${keys === 1 ? "it" : "them"}.`;
  const others = count(holders, "other holder loses", "other holders lose");
  return `${gone}. ${areMoreHolders ? "At least " : ""}${others} access and will be told.`;
}

/** A number with its noun. */
export function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
