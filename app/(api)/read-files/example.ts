import { ALICE } from "@/lib/api/example-values";

const TIME = 1_790_000_000_000;
const ROOT = "ffffffffffffffffffffffffffffffff";
const HELLO = "0123456789abcdef0123456789abcdef";

/** Alice's document: her folder and one file in it. */
export const aliceFiles = [
  ...[".folder", ALICE, "origin/(c) users", [HELLO], "", 0, 0, 0, TIME, TIME, "", 1, [ALICE], ROOT],
  ...[".txt", "hello", `origin/(c) users/${ALICE}`, "Hello, world", "", 0, 0, 0, TIME, TIME, "", 12, [ALICE], HELLO],
];
