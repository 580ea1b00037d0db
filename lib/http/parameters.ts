import type { z } from "zod";
import { invalidParameter, missingParameter } from "@/lib/errors";
import { parseQuery, pathSegment, type Query, single } from "./query";

/** The path of an address as sent, and its query. */
export function splitAddress(url: string): { path: string; query: Query } {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const address = start < 0 ? "/" : url.slice(start);
  const mark = address.indexOf("?");
  return mark < 0
    ? { path: address, query: new Map() }
    : { path: address.slice(0, mark), query: parseQuery(address.slice(mark + 1)) };
}

/** The part of a declaration that says which parameters a route knows. */
interface Known<Schema extends z.ZodObject> {
  path: string;
  parameters: Schema;
  aliases?: Record<string, readonly string[]>;
}

/**
 * A reader of the parameters of an address's path and query, parsed by the route's schema. It throws 400
 * `missing_parameter`, `invalid_parameter` and `duplicate_parameter`.
 */
export function parameterReader<Schema extends z.ZodObject>({
  path: pattern,
  parameters,
  aliases,
}: Known<Schema>): (path: string, query: Query) => z.infer<Schema> {
  const inPath = pattern
    .split("/")
    .map((part, index) => ({ name: part.slice(1, -1), index, isParameter: part.startsWith("{") }))
    .filter(({ isParameter }) => isParameter);
  const inQuery = Object.keys(parameters.shape).filter((name) => !inPath.some((one) => one.name === name));

  return (path, query) => {
    const sent: Record<string, string | undefined> = {};
    const segments = inPath.length > 0 ? path.split("/") : [];
    for (const { name, index } of inPath) sent[name] = pathSegment(name, segments[index] ?? "");
    for (const name of inQuery) sent[name] = single(query, name, aliases?.[name]);

    const parsed = parameters.safeParse(sent);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0]);
    if (sent[name] === undefined) throw missingParameter(name);
    throw invalidParameter(`The parameter ${name} ${issue?.message}.`);
  };
}
