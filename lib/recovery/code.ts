import { createHash, randomBytes } from "node:crypto";

/** Crockford's base 32: no letter looks like a digit. */
const SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BYTES = 15;
const GROUP = 4;
/** A longer text is no code, however it is written. */
export const LONGEST_TYPED = 100;

/** A new code of 120 random bits, in six groups of four. */
export function newRecoveryCode(): string {
  let bits = BigInt(`0x${randomBytes(BYTES).toString("hex")}`);
  let code = "";
  for (let length = 0; length < (BYTES * 8) / 5; length++, bits >>= 5n) {
    const sign = SIGNS[Number(bits & 31n)];
    code += length > 0 && length % GROUP === 0 ? `-${sign}` : sign;
  }
  return code;
}

/** The look-up value of a code as somebody typed it: any case, any separators, and O, I and L for 0 and 1. */
export function hashRecoveryCode(typed: string): string {
  const plain = typed.toUpperCase().replace(/[^0-9A-Z]/g, "");
  const code = plain.replaceAll("O", "0").replace(/[IL]/g, "1");
  return createHash("sha256").update(code).digest("hex");
}
