// The subjects of the examples in the API description. A test gives each a real counterpart and replays them.

export const ALICE = "alice";
export const BOB = "bob";
/** Alice's key. */
export const KEY = "9f0c1f6be2a94d2c8a35c2f7d0b1e6a4";
export const CODE = "KMTRWB";
/** Alice's token: well-formed, but nobody's. */
export const TOKEN = "lk_EXAMPLE-of-a-token-that-opens-nothing-at-all";
/** When everything happened. */
export const TIME = "2026-11-20T10:00:00.000Z";
