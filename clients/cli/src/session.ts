import { Latchkey } from "../../typescript/src/latchkey";
import { keptAddress, keptToken } from "./credentials";
import { EXIT, Failure } from "./failure";

/** An address as typed: https, unless it is this machine. Throws a Failure. */
export function addressOf(typed: string): string {
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|\/|$)/.test(typed);
  const whole = /^[a-z][a-z+.-]*:\/\//i.test(typed) ? typed : `${isHere ? "http" : "https"}://${typed}`;
  if (URL.canParse(whole) && /^https?:/i.test(whole) && new URL(whole).username === "")
    return new Latchkey(whole).address;
  throw new Failure(
    EXIT.usage,
    "invalid_address",
    `“${typed}” is not the address of a service. An example: https://keys.example.org`,
  );
}

/** The service that is meant when none is typed. */
export function usualAddress(): string | undefined {
  const { LATCHKEY_ADDRESS } = process.env;
  return LATCHKEY_ADDRESS ? addressOf(LATCHKEY_ADDRESS) : keptAddress();
}

/**
 * The service, with the user's token: LATCHKEY_TOKEN, or what the last sign-in kept for exactly this address. Throws a
 * Failure.
 */
export function session(): Latchkey {
  const address = usualAddress();
  const { LATCHKEY_TOKEN } = process.env;
  if (!address)
    throw LATCHKEY_TOKEN
      ? new Failure(EXIT.usage, "missing_address", "Set LATCHKEY_ADDRESS to the address of the service, too.")
      : new Failure(EXIT.signInNeeded, "not_signed_in", "You are not signed in. Run: latchkey login <address>");
  const token = LATCHKEY_TOKEN || keptToken(address);
  if (token) return new Latchkey(address, { token });
  throw new Failure(
    EXIT.signInNeeded,
    "not_signed_in",
    `You are not signed in at ${address}. Run: latchkey login ${address}`,
  );
}
