import type { GenerateValidator, Health, Me, Ready } from "./api";
import { Files } from "./files";
import { type Cancellable, Keys } from "./keys";
import { type LinkOptions, requestCode, waitForToken } from "./link";
import { type Connection, requestJson } from "./request";
import { type SignInOptions, signIn } from "./sign-in";
import { type Offline, type PublicKeys, type User, type WhoIs, whoIsWith } from "./signed";

export type { Me } from "./api";
export type { Entry, EntryDetails } from "./entry";
export { type ErrorCode, LatchkeyError } from "./errors";
export type { Entries, Files, Index, IndexEntry, PathOrId, ReadOptions } from "./files";
export type { Cancellable, Key, Keys, NewKey } from "./keys";
export type { LinkOptions, ShownCode } from "./link";
export type { Offline, OfflineCheck, ProofStorage, PublicKeys, User } from "./signed";

/** `jwks`: public keys for `whoIs`; others are fetched. `offline`: for `keys.check` with `offline`. */
export interface LatchkeyOptions {
  token?: string;
  jwks?: PublicKeys;
  offline?: Offline;
}
export type { SignInOptions } from "./sign-in";

/** A Latchkey service, asked by one program. */
export class Latchkey {
  readonly keys: Keys;
  readonly files: Files;
  private readonly connection: Connection;
  private readonly verify: WhoIs;
  private signingIn = new AbortController();

  /** `address`: `https://keys.example.org`. Throws a TypeError for what is not an address. */
  constructor(address: string | URL, { token, jwks, offline }: LatchkeyOptions = {}) {
    const { protocol, origin, pathname } = new URL(address);
    if (!/^https?:$/.test(protocol)) throw new TypeError(`${address} is not the address of a service.`);
    this.connection = { address: origin + pathname.replace(/\/+$/, ""), token };
    this.keys = new Keys(this.connection, offline);
    this.verify = whoIsWith(this.connection, jwks);
    this.files = new Files(this.connection);
  }

  get address(): string {
    return this.connection.address;
  }

  /** What requests are sent with. Keep it where only this user's programs can read it. */
  get token(): string | undefined {
    return this.connection.token;
  }

  set token(token: string | undefined) {
    this.connection.token = token;
  }

  /**
   * Shows a code and waits until the user has decided, or the code expires. Resolves with the token, which this
   * client uses from then on. Throws `link_denied` and `link_expired`.
   */
  async link(options: LinkOptions): Promise<string> {
    const connection = { address: this.address };
    const issued = await requestCode(connection, options);
    options.onCode(issued.shown);
    this.token = await waitForToken(connection, issued, options.signal);
    return this.token;
  }

  /**
   * Signs a person in to a web page, by one press in a window that this opens: call it when a button is pressed.
   * Resolves with the token as `link` does. If there is no window, `onCode` shows the letters; without it, throws
   * `window_blocked`. Another call ends the one before it.
   */
  async signIn(options: SignInOptions = {}): Promise<string> {
    this.signingIn.abort();
    this.signingIn = new AbortController();
    const { signal } = this.signingIn;
    const either = options.signal ? AbortSignal.any([signal, options.signal]) : signal;
    this.token = await signIn({ address: this.address }, { ...options, signal: either });
    return this.token;
  }

  /** The user whom the token belongs to. A token with the access `identity` is told name and role only. */
  async me({ signal }: Cancellable = {}): Promise<Me> {
    return (await requestJson<Me>(this.connection, "/me", { signal })).body;
  }

  /**
   * A signed text, valid for five minutes, that shows who the user is to the server which is called `audience`. Throws
   * `audience_not_approved` if the program's own token was not linked for that.
   */
  async validator(audience: string, { signal }: Cancellable = {}): Promise<string> {
    const call = { query: { key: audience }, signal };
    return (await requestJson<GenerateValidator>(this.connection, "/generate_validator", call)).body.validator;
  }

  /** Who a validator for this audience is from, verified with the service's public keys. Throws `bad_proof`. */
  whoIs(validator: string, audience: string, { signal }: Cancellable = {}): Promise<User> {
    return this.verify(validator, audience, { signal });
  }

  /** Whether the service and its database respond. Throws `unavailable` if not. */
  async health({ signal }: Cancellable = {}): Promise<Health> {
    return (await requestJson<Health>(this.connection, "/health", { signal })).body;
  }

  /** Whether the service takes requests. Throws `unavailable` if not. */
  async ready({ signal }: Cancellable = {}): Promise<Ready> {
    return (await requestJson<Ready>(this.connection, "/ready", { signal })).body;
  }
}
