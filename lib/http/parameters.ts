import type { z } from "zod";
import { ApiError, invalidParameter } from "@/lib/errors";
import { parseQuery, pathSegment, type Query, single } from "./query";

/** The path of an address as it was sent, and its query. */
export function splitAddress(url: string): { path: string; query: Query } {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const address = start < 0 ? "/" : url.slice(start);
  const mark = address.indexOf("?");
  return mark < 0 ? { path: address, query: new Map() } : { path: address.slice(0, mark), query: parseQuery(address.slice(mark + 1)) };
}

/** What of a declaration says which parameters a route knows. */
interface Known<Schema extends z.ZodObject> {
  path: string;
  parameters: Schema;
  aliases?: Record<string, readonly string[]>;
}

/**
 * The parameters of the path and the query, as the route's schema takes them. Throws 400 `missing_parameter`,
 * `invalid_parameter` and `duplicate_parameter`.
 */
export function readParameters<Schema extends z.ZodObject>(known: Known<Schema>, path: string, query: Query): z.infer<Schema> {
  const sent: Record<string, string | undefined> = {};
  const segments = path.split("/");
  const inPath = new Set<string>();
  for (const [index, part] of known.path.split("/").entries()) {
    if (!part.startsWith("{")) continue;
    const name = part.slice(1, -1);
    inPath.add(name);
    sent[name] = pathSegment(name, segments[index] ?? "");
  }
  for (const name of Object.keys(known.parameters.shape)) if (!inPath.has(name)) sent[name] = single(query, name, known.aliases?.[name]);

  const parsed = known.parameters.safeParse(sent);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const name = String(issue?.path[0]);
  if (sent[name] === undefined) throw new ApiError(400, "missing_parameter", `The parameter ${name} is required.`);
  throw invalidParameter(`The parameter ${name} ${issue?.message}.`);
}
