import { tokensOf } from "@/lib/accounts/identity/access-tokens/list";
import type { Caller } from "@/lib/accounts/identity/user";
import { passkeysOf } from "@/lib/accounts/ways-in/passkeys/list";
import { recoveryOf } from "@/lib/accounts/ways-in/recovery/recover";
import { openDocument, plainText } from "@/lib/files/read";
import { claimsAndOffersOf } from "@/lib/keys/archive";
import { blockedGivers } from "@/lib/keys/block";
import { keysOf } from "@/lib/keys/mine";
import { linkedPrograms } from "@/lib/link/list";
import { db } from "@/lib/platform/db/client";
import { ApiError } from "@/lib/platform/errors";
import { type ZipPart, zipOf } from "@/lib/platform/zip";
import { overviewOf } from "./overview";

/**
 * All data of a user as a ZIP archive: `account.json`, `keys.json` (the response of /keys/mine) and, if there are
 * files, `files.json` (the response of /read-files, which can be imported again). It is produced while being read, in
 * constant memory. Throws in the middle rather than end early.
 */
export function accountArchive(user: Caller): AsyncGenerator<Uint8Array> {
  return zipOf(partsOf(user));
}

async function* partsOf(user: Caller): AsyncGenerator<ZipPart> {
  yield { path: "account.json", bytes: accountText(user) };
  yield { path: "keys.json", bytes: keysText(user) };
  const files = await filesText(user.id);
  if (files) yield { path: "files.json", ...files };
}

async function* accountText({ id }: Caller): AsyncGenerator<Uint8Array> {
  const identities = await db.identity.findMany({
    where: { userId: id },
    select: { provider: true, accountId: true, createdAt: true },
  });
  const account = {
    ...(await overviewOf(id)),
    identities,
    passkeys: (await passkeysOf(id)).map(({ name, createdAt, usedAt }) => ({ name, createdAt, usedAt })),
    programs: await linkedPrograms(id),
    tokens: await tokensOf(id),
    recovery: await recoveryOf(id),
    email: await addressesOf(id),
    blocked: await blockedGivers({ id }),
    ...(await claimsAndOffersOf(id)),
  };
  yield Buffer.from(JSON.stringify(account, null, 2));
}

/** Without e-mail too: what was stored while it was set up. */
async function addressesOf(userId: string) {
  const select = { address: true, verifiedAt: true, pending: true } as const;
  return db.emailAddress.findUnique({ where: { userId }, select });
}

async function* keysText(user: Caller): AsyncGenerator<Uint8Array> {
  const { pages } = await keysOf(user, {});
  let before = "[";
  for await (const page of pages)
    for (const record of page) {
      yield Buffer.from(`${before}\n${JSON.stringify(record)}`);
      before = ",";
    }
  yield Buffer.from(before === "[" ? "[]\n" : "\n]\n");
}

async function filesText(userId: string): Promise<Pick<ZipPart, "bytes" | "size"> | null> {
  try {
    const document = await openDocument(userId);
    return { bytes: plainText(document), size: document.plainLength };
  } catch (error) {
    if (error instanceof ApiError && error.code === "no_files") return null;
    throw error;
  }
}
