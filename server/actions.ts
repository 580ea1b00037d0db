import { readFileSync } from "node:fs";
import { extractInfoFromServerReferenceId } from "next/dist/shared/lib/server-reference-info.js";
import { type Action, type FindAction, KB, PASSKEY_BYTES, STRANGERS_BYTES } from "./gate-limits";

type Limit = Pick<Action, "bodyBytes" | "strangersBytes">;

const USUAL_BYTES = 64 * KB;
/** A key's data is up to 64 KB, and one character of it up to six bytes of JSON. A file of names has up to 100 KB. */
const KEY_BYTES = 400 * KB;

const USUAL: Limit = { bodyBytes: USUAL_BYTES, strangersBytes: STRANGERS_BYTES };
const LARGE: Limit = { bodyBytes: KEY_BYTES, strangersBytes: STRANGERS_BYTES };
/** Pages that strangers use. */
const OF_STRANGERS: Limit = { bodyBytes: STRANGERS_BYTES, strangersBytes: STRANGERS_BYTES };

/** Limits by how an action's name begins: the file, below the pages, and the function. The first that fits counts. */
const LIMITS: Record<string, Limit> = {
  "recover/actions.ts recoverWithPasskey ": { bodyBytes: PASSKEY_BYTES, strangersBytes: PASSKEY_BYTES },
  "keys/actions.ts create ": LARGE,
  "keys/actions.ts replaceData ": LARGE,
  "keys/actions.ts changeMany ": LARGE,
  // A hundred names of files, of up to 255 characters each.
  "files/actions.ts undoMove ": LARGE,
  "claim/": OF_STRANGERS,
  "email/": OF_STRANGERS,
  "invite/": OF_STRANGERS,
  "recover/": OF_STRANGERS,
  "signup/": OF_STRANGERS,
};

interface Manifest {
  node: Record<string, { exportedName: string; filename: string; workers: Record<string, unknown> }>;
}

/** The actions of a build of Next. Throws an Error if one that has limits of its own is not among them. */
export function actionsOf(buildFolder: string): FindAction {
  const read = (file: string) => JSON.parse(readFileSync(`${buildFolder}/${file}`, "utf8"));
  const { node }: Manifest = read("server/server-reference-manifest.json");
  const patterns: Record<string, string> = read("app-path-routes-manifest.json");
  const unused = new Set(Object.keys(LIMITS));
  const actions = new Map(
    Object.entries(node).map(([id, { exportedName, filename, workers }]): [string, Action] => {
      const { usedArgs, hasRestArgs } = extractInfoFromServerReferenceId(id);
      const name = `${filename.replace(/^.*\(pages\)\//, "")} ${exportedName} `;
      const limited = Object.keys(LIMITS).find((begin) => name.startsWith(begin));
      if (limited !== undefined) unused.delete(limited);
      return [
        id,
        {
          ...((limited !== undefined && LIMITS[limited]) || USUAL),
          arguments: hasRestArgs ? Number.POSITIVE_INFINITY : usedArgs.lastIndexOf(true) + 1,
          pages: new Set(Object.keys(workers).map((worker) => patterns[worker.replace(/^app/, "")] ?? "")),
        },
      ];
    }),
  );
  if (unused.size > 0)
    throw new Error(`server/actions.ts limits actions that the build does not have: ${[...unused].join(", ")}`);
  return (id) => actions.get(id);
}
