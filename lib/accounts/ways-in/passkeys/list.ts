import { db } from "@/lib/platform/db/client";
import type { RelyingParty } from "../../identity/relying-party";

export const MAX_PASSKEYS = 20;

/** A passkey as its user sees it: no key material. */
export interface ListedPasskey {
  id: string;
  name: string;
  /** The host that it belongs to. */
  host: string;
  createdAt: Date;
  usedAt: Date | null;
}

/** A user's passkeys, the latest first. */
export async function passkeysOf(userId: string): Promise<ListedPasskey[]> {
  return db.passkey.findMany({
    where: { userId },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    take: MAX_PASSKEYS,
    select: { id: true, name: true, host: true, createdAt: true, usedAt: true },
  });
}

/** A user's passkeys for this address, as browsers expect them. */
export async function credentialsFor(userId: string, party: RelyingParty) {
  const passkeys = await db.passkey.findMany({
    where: { userId, host: party.id },
    select: { credentialId: true, transports: true },
    take: MAX_PASSKEYS,
  });
  return passkeys.map(({ credentialId, transports }) => ({
    id: credentialId,
    transports: transports === "" ? [] : transports.split(","),
  }));
}
