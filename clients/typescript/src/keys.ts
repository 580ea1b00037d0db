import type {
  KeysAdminAddId,
  KeysCheckUsername,
  KeysCreate,
  KeysCreateParameters,
  KeysDeleteId,
  KeysGetId,
  KeysMine,
  KeysRevokeId,
  KeysUpdateId,
} from "./api";
import { type Call, type Connection, requestJson } from "./request";
import { checkOffline, type Offline, type OfflineCheck } from "./signed";

/** A key, as everybody sees it who may ask for it. */
export type Key = KeysGetId;

/** What a new key is created with. */
export type NewKey = Omit<KeysCreateParameters, "request">;

export interface Cancellable {
  signal?: AbortSignal;
}

export interface Giving extends Cancellable {
  until?: Date | "never";
}

/** The key registry. */
export class Keys {
  constructor(
    private readonly connection: Connection,
    private readonly offline?: Offline,
  ) {}

  /** Creates a key: one, however often the response is lost and the request repeated. */
  create({ price, ...fields }: NewKey, { signal }: Cancellable = {}): Promise<KeysCreate> {
    const query = { ...fields, price: String(price) };
    return this.change("/keys/create", { query, signal });
  }

  /** A key, whose `data` is null unless the caller holds it. */
  get(id: string, { signal }: Cancellable = {}): Promise<Key> {
    return this.read(`/keys/get/${encodeURIComponent(id)}`, { signal });
  }

  /** All keys that the caller holds, oldest first. */
  async mine({ signal }: Cancellable = {}): Promise<KeysMine> {
    const all: Key[] = [];
    for await (const key of this.each({ signal })) all.push(key);
    return all;
  }

  /** The same one by one. A page of them is in memory: 1 to 1,000. */
  async *each({
    pageSize = 500,
    signal,
  }: Cancellable & { pageSize?: number } = {}): AsyncGenerator<Key, void, undefined> {
    let after: string | undefined;
    do {
      const query = { limit: String(pageSize), after };
      const { body, headers } = await requestJson<KeysMine>(this.connection, "/keys/mine", { query, signal });
      yield* body;
      const [, next] = /<([^>]+)>;\s*rel="next"/.exec(headers.get("Link") ?? "") ?? [];
      after = next && (new URL(next, this.connection.address).searchParams.get("after") ?? undefined);
    } while (after !== undefined);
  }

  /**
   * Whether a user holds a key. Needs no token. `offline`: if the service cannot be reached, the last response, which
   * it signed, counts until it expires. Throws `bad_proof` for a response that it has not signed.
   */
  check(username: string, key: string, options: Cancellable & { offline: true }): Promise<OfflineCheck>;
  check(username: string, key: string, options?: Cancellable): Promise<KeysCheckUsername>;
  check(
    username: string,
    key: string,
    { offline, signal }: Cancellable & { offline?: true } = {},
  ): Promise<KeysCheckUsername | OfflineCheck> {
    if (offline) {
      if (!this.offline) throw new TypeError("Pass offline: { jwks, storage } to the constructor.");
      return checkOffline(this.connection, { username, key, offline: this.offline, signal });
    }
    return this.read(`/keys/check/${encodeURIComponent(username)}`, { query: { key }, signal });
  }

  /**
   * Lets a user hold the key. `added` is false if the user held it. `until`: when the access ends; "never" removes the
   * end date. Without it, a holder's end stays as it is.
   */
  give(id: string, username: string, { until, signal }: Giving = {}): Promise<KeysAdminAddId> {
    const query = { key: id, username, until: until instanceof Date ? until.toISOString() : until };
    return this.change(`/keys/admin_add/${encodeURIComponent(id)}`, { query, signal });
  }

  /** Ends a user's access. `revoked` is false if the user did not hold it. */
  revoke(id: string, user: string, { signal }: Cancellable = {}): Promise<KeysRevokeId> {
    return this.change(`/keys/revoke/${encodeURIComponent(id)}`, { query: { user }, signal });
  }

  /** Changes a field of a key. */
  // biome-ignore lint/complexity/useMaxParams: programs call it so.
  set(id: string, field: keyof NewKey, value: string | number, { signal }: Cancellable = {}): Promise<KeysUpdateId> {
    return this.change(`/keys/update/${encodeURIComponent(id)}`, {
      query: { key: field, data: String(value) },
      signal,
    });
  }

  /** Deletes a key for everyone. */
  delete(id: string, { signal }: Cancellable = {}): Promise<KeysDeleteId> {
    return this.change(`/keys/delete/${encodeURIComponent(id)}`, { signal });
  }

  private async read<Body>(path: string, call: Call): Promise<Body> {
    return (await requestJson<Body>(this.connection, path, call)).body;
  }

  /** The id makes every repeat the same request, with one effect. */
  private change<Body>(path: string, call: Call): Promise<Body> {
    return this.read(path, { ...call, query: { request: newRequestId(), ...call.query }, isChange: true });
  }
}

/** Pages without https have no `crypto.randomUUID`. */
const newRequestId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
