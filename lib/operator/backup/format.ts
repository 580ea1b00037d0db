import { createHmac, createSecretKey, type KeyObject, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import { deriveKey, openBytes, sealBytes } from "@/lib/platform/crypto/secrets";
import type { Plain, Table } from "./tables";

/** The database holds accounts, and nobody agreed to replace them. */
export class NotEmpty extends Error {
  override message = "The database already has accounts. Use --replace to delete them and restore the backup instead.";
}

/** scrypt (RFC 7914) with these parameters takes 128 MiB and about half a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
/** A file may ask for more work, up to 1 GiB and some seconds: a later version may choose so. */
const MAX_N = 2 ** 20;
const SALT_BYTES = 16;

const isCost = (N: number) => N >= COST.N && N <= MAX_N && Number.isInteger(Math.log2(N));

/** The secrets of a portable backup, sealed under a passphrase: AES-256-GCM with a key from scrypt. */
const portable = z.object({
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

/** Of signed, sealed rows. Versions before 1.0.0 had 1 and 2, of rows in the clear. */
export const FORMAT = 3;

/**
 * The first line of a backup. Lines of a table follow the table's own line; the last line has the hash of everything
 * before it, and its signature.
 */
export const header = z.object({
  latchkey: z.literal("backup"),
  format: z.literal(FORMAT),
  at: z.iso.datetime(),
  /** The format of the rows. */
  migrations: z.array(z.string().regex(/^\w{1,100}$/)).min(1),
  /** The secrets that tokens need, by fingerprint. */
  needs: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
  /** The secrets, for who has the passphrase. */
  portable: portable.optional(),
});

export type Header = z.infer<typeof header>;

/** The last line of a backup. */
export const end = z.object({ lines: z.int(), sha256: z.string(), signature: z.string().optional() });

export type End = z.infer<typeof end>;

/**
 * HMAC-SHA-256, with a separate key, of what the last line of a backup says about everything before it: it cannot be
 * forged without the secret.
 */
export function signatureOf(lines: number, sha256: string, secret: string): string {
  return createHmac("sha256", deriveKey(secret, "backups")).update(`${lines} ${sha256}`).digest("hex");
}

/** The one of these secrets that signed it. */
export function signerOf(secrets: string[], { lines, sha256, signature = "" }: End): string | undefined {
  return secrets.find((secret) => {
    const right = Buffer.from(signatureOf(lines, sha256, secret));
    const presented = Buffer.from(signature);
    return presented.length === right.length && timingSafeEqual(presented, right);
  });
}

/**
 * Values that the database holds sealed, unless their row is from before sealing and its turn has not come: then the
 * column `sealedWith` is null, and a backup seals them under a key of its own.
 */
const SEALED: Record<string, { id: string; value: string }> = {
  Key: { id: "id", value: "data" },
  FileContent: { id: "pieceId", value: "deflated" },
};

type Change = (values: Plain[]) => Plain[];

/** Seals what a row holds in the clear, under this secret. */
export function sealingClear(table: Table, secret: string): Change {
  const key = deriveKey(secret, "backed-up rows");
  return changing(table, (value, context) => sealBytes(key, Buffer.from(value), context).toString("base64"));
}

/** The reverse. The row's value throws if it was changed, or is another row's. */
export function openingClear(table: Table, secret: string): Change {
  const key = deriveKey(secret, "backed-up rows");
  return changing(table, (value, context) => openBytes(key, Buffer.from(value, "base64"), context).toString("utf8"));
}

function changing({ name, columns }: Table, change: (value: string, context: string) => string): Change {
  const names = SEALED[name];
  if (!names) return (values) => values;
  const [id = -1, value = -1, sealedWith = -1] = [names.id, names.value, "sealedWith"].map((name) =>
    columns.findIndex((column) => column.name === name),
  );
  return (values) =>
    values[sealedWith] === null
      ? values.with(value, change(String(values[value]), `backup ${name} ${values[id]}`))
      : values;
}
