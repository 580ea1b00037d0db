import { MOST_VALUES, valuesOf } from "@/lib/platform/http/limits";
import { readPart } from "./read-body";

/** Names of fifty files, each letter of them escaped, and an archive's 1,500 ids. */
const MOST_BYTES = 128 * 1_024;

/** A small JSON body, or undefined if it is not JSON. */
export async function readJson(request: Request): Promise<unknown> {
  return parsed(Buffer.from(await readPart(request)));
}

/** The JSON, or undefined if it is none, or more than a page sends. */
export function parsed(json: Buffer): unknown {
  if (json.length > MOST_BYTES || valuesOf(json.toString("latin1")) > MOST_VALUES) return undefined;
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}
