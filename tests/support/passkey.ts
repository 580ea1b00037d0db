import { addPasskey, verifyRegistration } from "@/lib/accounts/passkeys/add";
import { type Ceremony, newChallenge } from "@/lib/accounts/passkeys/challenge";
import { newId } from "@/lib/platform/ids";
import { Authenticator } from "./authenticator";

export const party = { id: "localhost", origin: "http://localhost:3000" };

export async function createPasskey(subject: string, purpose: Ceremony["purpose"] = "add", counter = 0) {
  const key = new Authenticator(party.origin);
  const ceremony: Ceremony = { purpose, browser: newId(), subject };
  const answer = key.create(newChallenge(ceremony), { counter });
  return { key, passkey: await verifyRegistration(answer, party, ceremony) };
}

export async function addedPasskey({ id }: { id: string }, counter = 0): Promise<Authenticator> {
  const { key, passkey } = await createPasskey(id, "add", counter);
  await addPasskey(id, passkey);
  return key;
}
