import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { newId } from "@/lib/platform/ids";
import type { Operator } from "@/tests/soak/operator";
import { type Answer, newNetwork, sendTo } from "./request";

type Query = Record<string, string>;
type KeyState = { data: string; shared: boolean } | null;

interface Entry {
  acknowledged: KeyState;
  /**
   * The alternative state, if a change was requested and its response never came. The key is then left alone until it
   * is looked up.
   */
  perhaps?: KeyState;
}

interface LedgerLink {
  code: string;
  network: string;
  state: "asked" | "approved" | "collected" | "unknown";
}

const AWAY_PAUSE_MS = 50;

/**
 * A client that changes keys and links programs, one after another, and records what was acknowledged: whatever happens
 * to the service or its database, `verify` must find it. A change ends in an acknowledgement, in 503 in the contract's
 * form, in 507 if the disk is full, or without a response.
 */
export class Ledger {
  readonly tally = { acknowledged: 0, away: 0 };
  private readonly keys = new Map<string, Entry>();
  /** Data of keys that may have been created without a response. */
  private readonly unanswered = new Set<string>();
  private links: LedgerLink[] = [];

  private constructor(
    private readonly url: string,
    private readonly operator: Operator,
    private readonly owner: { id: string; username: string; token: string },
    private readonly friend: { username: string },
  ) {}

  static async open(url: string, operator: Operator): Promise<Ledger> {
    const person = () => operator.tell("createUser", `l${newId().slice(0, 15)}`, "correct horse battery");
    return new Ledger(url, operator, await person(), await person());
  }

  async work(signal: AbortSignal, endsWithService: boolean): Promise<void> {
    while (!signal.aborted) {
      const isThere = await this.change();
      if (isThere) continue;
      if (endsWithService) return;
      await sleep(AWAY_PAUSE_MS);
    }
  }

  private async change(): Promise<boolean> {
    const dice = Math.random();
    const [id, entry] = this.anyKey();
    if (dice < 0.1) return this.link();
    if (!id || !entry?.acknowledged || dice < 0.4) return this.create();
    const { data, shared } = entry.acknowledged;
    const query = { key: id, username: this.friend.username };
    if (dice < 0.5) return this.attempt(entry, null, `/keys/delete/${id}`);
    if (dice < 0.7)
      return this.attempt(entry, { data, shared: !shared }, `/keys/${shared ? "revoke" : "admin_add"}/${id}`, query);
    const next = { data: newId(), shared };
    return this.attempt(entry, next, `/keys/update/${id}`, { key: "data", data: next.data });
  }

  private async attempt(entry: Entry, next: KeyState, path: string, query: Query = {}): Promise<boolean> {
    entry.perhaps = next;
    if (!(await this.acknowledged(path, query))) return false;
    entry.acknowledged = next;
    delete entry.perhaps;
    return true;
  }

  private async create(): Promise<boolean> {
    const data = newId();
    this.unanswered.add(data);
    const answer = await this.acknowledged("/keys/create", { data, price: "1" });
    if (!answer) return false;
    this.unanswered.delete(data);
    this.keys.set(String(answer.body?.key), { acknowledged: { data, shared: false } });
    return true;
  }

  private async link(): Promise<boolean> {
    const network = newNetwork().id;
    const answer = await this.acknowledged("/link/code", {}, network);
    if (!answer) return false;
    const link: LedgerLink = { code: String(answer.body?.code), network, state: "asked" };
    this.links.push(link);
    if (Math.random() < 0.3) return true;
    const approving = this.operator.tell("approve", this.owner.id, link.code, network);
    const approved = await approving.then(() => true).catch(() => false);
    link.state = approved ? "approved" : "unknown";
    if (!approved || Math.random() < 0.3) return approved;
    link.state = "unknown";
    const collected = await this.acknowledged("/link/user", { code: link.code }, network);
    if (collected) link.state = "collected";
    return collected !== undefined;
  }

  /** The response to an acknowledged change; undefined for 503, 507 or no response. Any other response is a fault. */
  private async acknowledged(path: string, query: Query, network?: string): Promise<Answer | undefined> {
    const answer = await this.ask(path, query, network).catch(() => undefined);
    if (answer?.status === 200) {
      this.tally.acknowledged++;
      return answer;
    }
    if (!answer) return;
    const seconds = expect.stringMatching(/^[1-9]\d*$/);
    if (answer.status !== 507)
      expect([answer.status, answer.headers["retry-after"]], `${path}: ${answer.text}`).toEqual([503, seconds]);
    this.tally.away++;
  }

  private ask(path: string, query: Query = {}, network?: string): Promise<Answer> {
    const auth = path.startsWith("/link/") ? undefined : this.owner.token;
    return sendTo(this.url, path, { query: { ...query, auth }, network, once: true });
  }

  private anyKey(): [string, Entry] | [] {
    const known = [...this.keys].filter(([, entry]) => entry.acknowledged && entry.perhaps === undefined);
    return known[Math.floor(Math.random() * known.length)] ?? [];
  }

  async verify(): Promise<void> {
    const listed = await this.ask("/keys/mine");
    expect(listed.status, listed.text).toBe(200);
    const found = new Map<string, KeyState>(
      listed.list.map(({ key, data, users }) => [
        String(key),
        { data: String(data), shared: Object.hasOwn(Object(users), this.friend.username) },
      ]),
    );
    for (const [id, entry] of this.keys) {
      const state = found.get(id) ?? null;
      expect("perhaps" in entry ? [entry.acknowledged, entry.perhaps] : [entry.acknowledged]).toContainEqual(state);
      if (state) this.keys.set(id, { acknowledged: state });
      else this.keys.delete(id);
      found.delete(id);
    }
    for (const [id, state] of found) {
      expect(this.unanswered.delete(state?.data ?? "")).toBe(true);
      this.keys.set(id, { acknowledged: state });
    }
    for (const link of this.links.splice(0)) await this.verifyLink(link);
  }

  private async verifyLink({ code, network, state }: LedgerLink): Promise<void> {
    if (state === "unknown") return;
    if (state === "asked") await this.operator.tell("approve", this.owner.id, code, network);
    const poll = await this.ask("/link/user", { code }, state === "collected" ? newNetwork().id : network);
    const expected =
      state === "collected" ? [404, { linked: false, token: "" }] : [200, { linked: true, token: this.owner.token }];
    expect([poll.status, poll.body]).toEqual(expected);
  }
}
