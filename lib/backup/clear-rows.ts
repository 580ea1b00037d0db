import { openBytes, sealBytes } from "@/lib/aes-gcm";
import { deriveKey } from "@/lib/secrets";
import type { Plain, Table } from "./tables";

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
  const [id = -1, value = -1, sealedWith = -1] = [names.id, names.value, "sealedWith"].map((wanted) =>
    columns.findIndex((column) => column.name === wanted),
  );
  return (values) =>
    values[sealedWith] === null
      ? values.with(value, change(String(values[value]), `backup ${name} ${values[id]}`))
      : values;
}
