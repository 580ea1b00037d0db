// Written by `npm run codegen` from the API's description. Do not edit.

/**
 * The response of /.well-known/jwks.json. Returns the public keys that verify validators and proofs (RFC 7517),
 * the one in use first.
 */
export type WellKnownJwksJson = {
  keys: Array<{
    kty: "OKP";
    crv: "Ed25519";
    x: string;
    kid: string;
    alg: "EdDSA";
    use: "sig";
  }>;
};

/**
 * The response of /generate_validator. Returns a signed text with which the caller shows one server who they are,
 * without giving it the token.
 */
export type GenerateValidator = {
  /** A JWT (EdDSA), which /validate or any library with /.well-known/jwks.json checks. */
  validator: string;
  /** In Unix seconds: 5 minutes from now. */
  expires_at: number;
};

/** The response of /health. Says whether the service and its database respond. */
export type Health = {
  status: "ok";
};

/** The response of /keys/admin_add/{id}. Adds a user to the holders of a key. */
export type KeysAdminAddId = {
  success: true;
  status: string;
  message: string;
  key: string;
  user: string;
  added: boolean;
  /** Whether the end date of existing access changed. Only where until was sent. */
  changed?: boolean;
  /** The end date that was sent, in Unix seconds. */
  until?: number;
};

/** The response of /keys/check/{username}. Says whether a user holds a key. Needs no token. */
export type KeysCheckUsername = {
  owned: boolean;
  owns: boolean;
  username: string;
  key: string;
  /** When the access ends, in Unix seconds, if it does. */
  until?: number;
  /** The same, signed: a JWT (EdDSA). Only where sign was sent. */
  proof?: string;
};

/** The response of /keys/create. Creates a key that carries a secret string and a price. */
export type KeysCreate = {
  success: true;
  status: string;
  message: string;
  /** The id. */
  key: string;
  /** The same id. */
  id: string;
  name: string;
  type: "standard";
  /** A negative price means not for sale. */
  price: number;
  creator: string;
  /** Whether the caller created the key. */
  isCreator: boolean;
  /** Whether the caller holds the key. */
  owned: boolean;
  /** The same as owned. */
  owns: boolean;
  /** The secret, or null if the caller does not hold the key. */
  data: string | null;
  /** Only in lists and after a change: the data is null because what is stored of it cannot be read. */
  damaged?: true;
  users: Record<
    string,
    {
      /** Since when, in Unix seconds. */
      time: number;
      /** When the access ends, in Unix seconds, if it does. */
      until?: number;
    }
  >;
  createdAt: string;
  updatedAt: string;
};

/** The response of /keys/delete/{id}. Deletes a key for everyone who holds it. */
export type KeysDeleteId = {
  success: true;
  status: string;
  message: string;
  key: string;
};

/** The response of /keys/get/{id}. Returns a key. Only its holders can read its data. */
export type KeysGetId = {
  /** The id. */
  key: string;
  /** The same id. */
  id: string;
  name: string;
  type: "standard";
  /** A negative price means not for sale. */
  price: number;
  creator: string;
  /** Whether the caller created the key. */
  isCreator: boolean;
  /** Whether the caller holds the key. */
  owned: boolean;
  /** The same as owned. */
  owns: boolean;
  /** The secret, or null if the caller does not hold the key. */
  data: string | null;
  /** Only in lists and after a change: the data is null because what is stored of it cannot be read. */
  damaged?: true;
  users: Record<
    string,
    {
      /** Since when, in Unix seconds. */
      time: number;
      /** When the access ends, in Unix seconds, if it does. */
      until?: number;
    }
  >;
  createdAt: string;
  updatedAt: string;
};

/** The response of /keys/mine. Lists every key that the caller holds, oldest first. */
export type KeysMine = KeysGetId[];

/**
 * The response of /keys/revoke/{id}. Removes a user from the holders of a key. A holder may also remove
 * themselves.
 */
export type KeysRevokeId = {
  success: true;
  status: string;
  message: string;
  key: string;
  user: string;
  revoked: boolean;
};

/** The response of /keys/update/{id}. Changes a key's data, name or price. */
export type KeysUpdateId = {
  success: true;
  status: string;
  message: string;
  /** The id. */
  key: string;
  /** The same id. */
  id: string;
  name: string;
  type: "standard";
  /** A negative price means not for sale. */
  price: number;
  creator: string;
  /** Whether the caller created the key. */
  isCreator: boolean;
  /** Whether the caller holds the key. */
  owned: boolean;
  /** The same as owned. */
  owns: boolean;
  /** The secret, or null if the caller does not hold the key. */
  data: string | null;
  /** Only in lists and after a change: the data is null because what is stored of it cannot be read. */
  damaged?: true;
  users: Record<
    string,
    {
      /** Since when, in Unix seconds. */
      time: number;
      /** When the access ends, in Unix seconds, if it does. */
      until?: number;
    }
  >;
  createdAt: string;
  updatedAt: string;
  changed: boolean;
};

/**
 * The response of /link/code. Creates a six-letter code for the program to show. The user enters it at the URL in
 * the Link header. The program then waits at /link/status, and collects the token at /link/user.
 */
export type LinkCode = {
  code: string;
};

/**
 * The response of /link/status. Returns 200 with status linked once the code is approved, until its token is
 * collected. Until then, and afterwards, 404 with status pending, denied, expired or collected, for the program
 * that requested the code; for anyone else, and any other code, 404 with status unknown. With the header Prefer:
 * wait=25, the response comes as soon as the code is no longer pending, or after 25 seconds.
 */
export type LinkStatus = {
  status: "linked";
};

/**
 * The response of /link/user. Returns the token of the user who approved the code, once. Before that, and for any
 * other code, it returns 404 with linked false. With the header Prefer: wait=25, the response comes as soon as
 * there is a token, or it is certain that there will be none, or after 25 seconds.
 */
export type LinkUser = {
  linked: true;
  token: string;
};

/** The response of /live. Says whether this process responds. Asks no database: a restart does not bring one back. */
export type Live = {
  status: "live";
};

/** The response of /me. Returns the token's user, and how much they have stored. */
export type Me =
  | {
      /** Stays the same for as long as the account exists, and is never another's. */
      id: string;
      username: string;
      role: string;
      createdAt: string;
      /** How many keys the user holds. */
      keys: number;
      files: {
        entries: number;
        bytes: number;
      };
      /** The token of this request. */
      token: {
        /** null for the account's token. */
        name: string | null;
        access: "identity" | "read" | "everything";
        /** null: it does not expire. */
        expiresAt: string | null;
      };
    }
  | {
      /** Stays the same for as long as the account exists, and is never another's. */
      id: string;
      username: string;
      role: string;
    };

/** The response of /read-files. Returns everything that the user has stored, or a part of it. */
export type ReadFiles = Array<unknown>;

/**
 * The response of /ready. Says whether requests may be sent here: the database responds, stores changes and has
 * every migration.
 */
export type Ready = {
  status: "ready";
};

/** The response of /validate. Says who a validator is from, if it is valid and for this audience. Needs no token. */
export type Validate =
  | {
      valid: true;
      /** The user's id, which never changes. */
      id: string;
      /** The user's name now. */
      username: string;
      /** The program that made it, if it did so with a token of its own. */
      azp?: string;
    }
  | {
      valid: false;
      /** Why not. */
      error: string;
    };

/** The parameters of /keys/create. */
export type KeysCreateParameters = {
  /** The secret: 1 to 65536 bytes of UTF-8. */
  data: string;
  /** A plain decimal like 12, 0.5 or -1. A negative price means not for sale. */
  price: number | string;
  /** At most 100 characters. */
  name?: string;
  /**
   * An id that the program chose, such as a UUID. Within a day, the same request with the same id has one effect,
   * and the same response: it is safe to repeat.
   */
  request?: string;
};

/** The codes of the API's errors. */

export type ApiCode =
  | "account_disabled"
  | "audience_not_approved"
  | "creator_access"
  | "data_damaged"
  | "duplicate_parameter"
  | "holder_limit"
  | "internal"
  | "invalid_parameter"
  | "invalid_token"
  | "key_limit"
  | "key_mismatch"
  | "key_not_found"
  | "method_not_allowed"
  | "misdirected_request"
  | "missing_parameter"
  | "missing_token"
  | "network_blocked"
  | "no_files"
  | "no_such_entry"
  | "not_creator"
  | "not_found"
  | "precondition_failed"
  | "prefetch_refused"
  | "range_not_satisfiable"
  | "rate_limited"
  | "request_conflict"
  | "storage_full"
  | "token_access"
  | "too_many_parameters"
  | "unavailable"
  | "user_not_found";
