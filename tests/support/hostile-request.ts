import type { Action } from "@/server/gate-limits";

/** The target of a request, as the gate sorts them (docs/gate.md). */
export type HostileLane = "api" | "page" | "action" | "auth" | "files" | "asset";

/** A request that was seen to block or overload the service, or a similar one. */
export interface HostileRequest {
  name: string;
  lane: HostileLane;
  /**
   * The status with which the gate itself refuses it, on the self-hosted lane; undefined if it is let through, bounded.
   */
  refused: number | undefined;
  /** The whole request as sent, from any network. */
  bytes(network?: string): Buffer;
  /** It never sends the rest of its announced body. */
  isUnfinished?: true;
}

interface Parts {
  method?: string;
  target: string;
  headers?: string[];
  body?: string | Buffer;
  /** The value of Content-Length, if false. */
  announced?: number;
}

export const HTML = "Accept: text/html";
/** The ids of an action that strangers call, and of one for those who are signed in, with data of a key. */
export const ACTION_IDS = {
  strangers: "60aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  members: "40bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
};
const KB = 1_024;
const HOSTILE_ACTIONS = new Map<string, Action>([
  [ACTION_IDS.strangers, { bodyBytes: 4 * KB, strangersBytes: 4 * KB, arguments: 2 }],
  [ACTION_IDS.members, { bodyBytes: 400 * KB, strangersBytes: 4 * KB, arguments: 2 }],
]);
/** These two, for lanes without a build. */
export const hostileActions = (id: string) => HOSTILE_ACTIONS.get(id);
export const ACTION = `Next-Action: ${ACTION_IDS.strangers}`;
export const KEY_ACTION = `Next-Action: ${ACTION_IDS.members}`;
export const TEXT = "Content-Type: text/plain;charset=UTF-8";
export const FORM = "Content-Type: application/x-www-form-urlencoded";

export const times = (count: number, part: (index: number) => string, between = "") =>
  Array.from({ length: count }, (_, index) => part(index)).join(between);

export function hostile(
  name: string,
  lane: HostileLane,
  refused: number | undefined,
  parts: () => Parts,
  isUnfinished?: true,
): HostileRequest {
  const bytes = (network?: string) => {
    const { method = "GET", target, headers = [], body, announced } = parts();
    const from = network === undefined ? [] : [`X-Forwarded-For: ${network}`];
    const length = announced ?? (body === undefined ? undefined : Buffer.byteLength(body));
    const lines = [
      "Host: localhost",
      ...from,
      ...headers,
      ...(length === undefined ? [] : [`Content-Length: ${length}`]),
    ];
    return Buffer.concat([
      Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`),
      Buffer.from(body ?? ""),
    ]);
  };
  return { name, lane, refused, bytes, ...(isUnfinished && { isUnfinished }) };
}
