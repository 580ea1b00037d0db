// The subjects of the examples in the API description. A test gives each a real counterpart and replays them.

export const ALICE = "alice";
/** Her id. */
export const ALICE_ID = "5b1d6c0a9e874f3f8b2f4c6d7e8f9a0b";
export const BOB = "bob";
/** Alice's key. */
export const KEY = "9f0c1f6be2a94d2c8a35c2f7d0b1e6a4";
export const CODE = "KMTRWB";
/** Alice's token: well-formed, but nobody's. */
export const TOKEN = "lk_EXAMPLE-of-a-token-that-opens-nothing-at-all";
/** A JWT: well-formed, but signed by nobody. */
export const SIGNED = "eyJhbGciOiJFZERTQSJ9.e30.AA";
/** An id of a public key, and its bytes. */
export const PUBLIC = "A".repeat(43);
/** The address of the service. */
export const ORIGIN = "https://keys.example.org";
/** When everything happened. */
export const TIME = "2026-11-20T10:00:00.000Z";
