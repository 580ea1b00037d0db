import { createSecretKey, type KeyObject, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import { openBytes, sealBytes } from "@/lib/aes-gcm";

/** scrypt (RFC 7914) with these parameters takes 128 MiB and about half a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
/** A file may ask for more work, up to 1 GiB and some seconds: a later version may choose so. */
const MOST_N = 2 ** 20;
const SALT_BYTES = 16;

const isCost = (N: number) => N >= COST.N && N <= MOST_N && Number.isInteger(Math.log2(N));

/** The secrets of a portable backup, sealed under a passphrase: AES-256-GCM with a key from scrypt. */
export const portable = z.object({
  kdf: z.literal("scrypt"),
  N: z.int().refine(isCost),
  r: z.literal(COST.r),
  p: z.literal(COST.p),
  salt: z.base64().max(100),
  sealed: z.base64().min(100).max(100_000),
});

export type Portable = z.infer<typeof portable>;

const secretsText = z.array(z.string().regex(/^[^\s,]{32,}$/)).min(1);

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

async function keyFrom(passphrase: string, salt: Buffer, { N, r, p }: Omit<Portable, "salt">): Promise<KeyObject> {
  // The same letters typed on different keyboards are the same passphrase.
  return createSecretKey(await derive(passphrase.normalize("NFC"), salt, 32, { N, r, p, maxmem: 256 * N * r }));
}

/** A header of a backup is for one time, so that its part cannot be put into another. */
const contextOf = (at: string) => `portable backup ${at}`;

/** Seals the secrets for the backup of this time. */
export async function sealSecrets(secrets: readonly string[], passphrase: string, at: string): Promise<Portable> {
  const salt = randomBytes(SALT_BYTES);
  const parameters = { kdf: "scrypt", ...COST, sealed: "" } as const;
  const key = await keyFrom(passphrase, salt, parameters);
  const sealed = sealBytes(key, Buffer.from(JSON.stringify(secrets)), contextOf(at)).toString("base64");
  return { ...parameters, salt: salt.toString("base64"), sealed };
}

/** The secrets, or null if the passphrase is another, or the backup was changed. */
export async function openSecrets(from: Portable, passphrase: string, at: string): Promise<string[] | null> {
  const key = await keyFrom(passphrase, Buffer.from(from.salt, "base64"), from);
  try {
    const text = openBytes(key, Buffer.from(from.sealed, "base64"), contextOf(at)).toString("utf8");
    return secretsText.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
