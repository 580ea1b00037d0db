import type { z } from "zod";
import { invalidParameter } from "@/lib/errors";
import { readPart } from "./read-body";

/** What was sent, checked. Throws 400 `invalid_parameter`: only a page that is older than the service, or no page, sends anything else. */
export function read<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(sent);
  if (!parsed.success)
    throw invalidParameter(`This page and the service do not understand one another (${parsed.error.issues[0]?.path.join(".")}). Load it again.`);
  return parsed.data;
}

/** A small JSON body, or undefined where it is none. */
export async function readJson(request: Request): Promise<unknown> {
  const text = Buffer.from(await readPart(request)).toString();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
