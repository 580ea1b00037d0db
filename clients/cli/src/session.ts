import { Latchkey } from "../../typescript/src/latchkey";
import { storedAddress, storedToken } from "./credentials";
import { EXIT, Failure } from "./failure";

/** The address from a user's input: https, unless it is this machine. Throws a Failure. */
export function addressOf(input: string): string {
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|\/|$)/.test(input);
  const url = /^[a-z][a-z+.-]*:\/\//i.test(input) ? input : `${isHere ? "http" : "https"}://${input}`;
  if (URL.canParse(url) && /^https?:/i.test(url) && new URL(url).username === "") return new Latchkey(url).address;
  throw new Failure(
    EXIT.usage,
    "invalid_address",
    `“${input}” is not the address of a service. An example: https://keys.example.org`,
  );
}

/** The service that a command without an address uses. */
export function defaultAddress(): string | undefined {
  const { LATCHKEY_ADDRESS } = process.env;
  return LATCHKEY_ADDRESS ? addressOf(LATCHKEY_ADDRESS) : storedAddress();
}

/**
 * The service, with the user's token: LATCHKEY_TOKEN, or what the last sign-in stored for exactly this address. Throws
 * a Failure.
 */
export function session(): Latchkey {
  const address = defaultAddress();
  const { LATCHKEY_TOKEN } = process.env;
  if (!address)
    throw LATCHKEY_TOKEN
      ? new Failure(EXIT.usage, "missing_address", "Set LATCHKEY_ADDRESS to the address of the service, too.")
      : new Failure(EXIT.signInNeeded, "not_signed_in", "You are not signed in. Run: latchkey login <address>");
  const token = LATCHKEY_TOKEN || storedToken(address);
  if (token) return new Latchkey(address, { token });
  throw new Failure(
    EXIT.signInNeeded,
    "not_signed_in",
    `You are not signed in at ${address}. Run: latchkey login ${address}`,
  );
}
