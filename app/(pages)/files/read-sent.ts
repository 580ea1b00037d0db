import type { z } from "zod";
import { invalidParameter } from "@/lib/errors";
import { readPart } from "./read-body";

/**
 * The validated input. Throws 400 `invalid_parameter`: only an outdated page, or no page at all, sends anything else.
 */
export function read<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(sent);
  if (!parsed.success)
    throw invalidParameter(`This page is out of date (${parsed.error.issues[0]?.path.join(".")}). Reload it.`);
  return parsed.data;
}

/** A small JSON body, or undefined if it is not JSON. */
export async function readJson(request: Request): Promise<unknown> {
  return parsed(Buffer.from(await readPart(request)));
}

/** The JSON, or undefined if it is none. */
export function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}
