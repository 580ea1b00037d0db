import { readFileSync } from "node:fs";
import { extractInfoFromServerReferenceId } from "next/dist/shared/lib/server-reference-info.js";
import { type Action, type FindAction, KB, PASSKEY_BYTES, STRANGERS_BYTES } from "./gate-limits";

const USUAL_BYTES = 64 * KB;
/** A key's data is up to 64 KB, and one character of it up to six bytes of JSON. A file of names has up to 100 KB. */
const KEY_BYTES = 400 * KB;

const LARGE = ["keys/actions.ts create", "keys/actions.ts replaceData", "keys/many-actions.ts changeMany"];
const PASSKEYS = ["recover/actions.ts recoverWithPasskey"];
/** Pages that strangers use. */
const OF_STRANGERS = /^(?:claim|email|invite|recover|signup)\//;

/** The actions of a build of Next. */
export function actionsOf(buildFolder: string): FindAction {
  const { node }: { node: Record<string, { exportedName: string; filename: string }> } = JSON.parse(
    readFileSync(`${buildFolder}/server/server-reference-manifest.json`, "utf8"),
  );
  const actions = new Map(
    Object.entries(node).map(([id, { exportedName, filename }]) => {
      const { usedArgs, hasRestArgs } = extractInfoFromServerReferenceId(id);
      const maxArguments = hasRestArgs ? Number.POSITIVE_INFINITY : usedArgs.lastIndexOf(true) + 1;
      return [id, { ...bytesOf(`${filename.replace(/^.*\(pages\)\//, "")} ${exportedName}`), arguments: maxArguments }];
    }),
  );
  return (id) => actions.get(id);
}

/** `name`: the file, below the pages, and the function. */
function bytesOf(name: string): Omit<Action, "arguments"> {
  if (PASSKEYS.includes(name)) return { bodyBytes: PASSKEY_BYTES, strangersBytes: PASSKEY_BYTES };
  if (OF_STRANGERS.test(name)) return { bodyBytes: STRANGERS_BYTES, strangersBytes: STRANGERS_BYTES };
  return { bodyBytes: LARGE.includes(name) ? KEY_BYTES : USUAL_BYTES, strangersBytes: STRANGERS_BYTES };
}
