import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { passkeyRefused } from "./errors";

/** Base64url of at most this many bytes. */
const bytes = (most: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(Math.ceil((most * 4) / 3));
/** The longest that WebAuthn allows. */
const credentialId = bytes(1_023);
const clientDataJSON = bytes(2_048);
/** Most authenticators name one or two; WebAuthn knows six. */
const transports = z.array(z.string().regex(/^[a-z-]{1,20}$/)).max(8);

const registration = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  response: z.object({ clientDataJSON, attestationObject: bytes(4_096), transports: transports.optional() }),
});
export type Registration = z.infer<typeof registration>;

const assertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON,
    authenticatorData: bytes(1_024),
    signature: bytes(1_024),
    userHandle: bytes(64).nullish(),
  }),
});
export type Assertion = z.infer<typeof assertion>;

/** What a browser sends for a new passkey. Throws 401 `passkey_refused` unless it has the form and size of one. */
export function readRegistration(sent: unknown): Registration {
  return registration.safeParse(sent).data ?? refuse();
}

/** What a browser sends to sign in. Throws as `readRegistration` does. */
export function readAssertion(sent: unknown): Assertion {
  return assertion.safeParse(sent).data ?? refuse();
}

function refuse(): never {
  throw passkeyRefused();
}

/** As the verifying package takes them. */
export const forVerifying = {
  registration: ({ response: { transports: _, ...response }, ...sent }: Registration): RegistrationResponseJSON => ({
    ...sent,
    response,
    clientExtensionResults: {},
  }),
  assertion: ({ response: { userHandle, ...response }, ...sent }: Assertion): AuthenticationResponseJSON => ({
    ...sent,
    response: { ...response, userHandle: userHandle ?? undefined },
    clientExtensionResults: {},
  }),
};
