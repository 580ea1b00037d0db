import type { z } from "zod";
import { duplicateParameter, invalidParameter, missingParameter, unstorableParameter } from "../errors";
import { MAX_PARAMETERS, tooManyParameters } from "./limits";

/** The values of each parameter, still encoded: most of a long address is never read. */
export type Query = Map<string, string[]>;

/** A longer name is none of ours, however it is encoded. */
const MAX_OF_NAME = 100;

/**
 * Parses a query string (without "?") strictly: `+` is a space, and percent-encoding must be well-formed UTF-8. Broken
 * values are refused when they are read, because only those of parameters that the route knows may be
 * (contract, section 1: parameters). Throws 400 `too_many_parameters` beyond the 50th.
 */
export function parseQuery(text: string): Query {
  const query: Query = new Map();
  let count = 0;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    const separator = text.indexOf("&", start);
    end = separator < 0 ? text.length : separator;
    if (end === start) continue;
    if (++count > MAX_PARAMETERS) throw tooManyParameters();
    const pair = text.slice(start, end);
    const equals = pair.indexOf("=");
    const encoded = equals < 0 ? pair : pair.slice(0, equals);
    const name = encoded.length > MAX_OF_NAME ? undefined : decoded(encoded);
    if (name === undefined) continue;
    const value = equals < 0 ? "" : pair.slice(equals + 1);
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

/**
 * The single value of a declared parameter, or undefined if it is missing. `aliases` are other names of the parameter:
 * both may be present if they agree. Throws 400 `duplicate_parameter` or `invalid_parameter`.
 */
export function single(query: Query, name: string, aliases: readonly string[] = []): string | undefined {
  let result: string | undefined;
  for (const alias of [name, ...aliases]) {
    const values = query.get(alias);
    if (!values) continue;
    if (values.length > 1) throw duplicateParameter(alias);
    const value = text(alias, decoded(values[0] ?? ""));
    if (result !== undefined && result !== value)
      throw invalidParameter(`The parameters ${name} and ${alias} mean the same, but were sent with different values.`);
    result = value;
  }
  return result;
}

/** One segment of the path, decoded. Throws 400 `invalid_parameter`. */
export function pathSegment(name: string, segment: string): string {
  return text(name, decodePercent(segment));
}

function text(name: string, value: string | undefined): string {
  if (value === undefined) throw invalidParameter(`The parameter ${name} is not percent-encoded UTF-8.`);
  if (/[\0\uFFFD]/.test(value) || !value.isWellFormed()) throw unstorableParameter(name);
  return value;
}

/** A name or a value as text, or undefined if its encoding is broken. */
export function decoded(text: string): string | undefined {
  return decodePercent(text.includes("+") ? text.replaceAll("+", " ") : text);
}

function decodePercent(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The path of an address as sent, and its query. */
export function splitAddress(url: string): { path: string; query: Query } {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const address = start < 0 ? "/" : url.slice(start);
  const queryStart = address.indexOf("?");
  return queryStart < 0
    ? { path: address, query: new Map() }
    : { path: address.slice(0, queryStart), query: parseQuery(address.slice(queryStart + 1)) };
}

/** The part of a declaration that says which parameters a route has. */
interface DeclaredParameters<Schema extends z.ZodObject> {
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
}: DeclaredParameters<Schema>): (path: string, query: Query) => z.infer<Schema> {
  const inPath = pattern
    .split("/")
    .map((part, index) => ({ name: part.slice(1, -1), index, isParameter: part.startsWith("{") }))
    .filter(({ isParameter }) => isParameter);
  const inQuery = Object.keys(parameters.shape).filter((name) => !inPath.some((one) => one.name === name));

  return (path, query) => {
    const input: Record<string, string | undefined> = {};
    const segments = inPath.length > 0 ? path.split("/") : [];
    for (const { name, index } of inPath) input[name] = pathSegment(name, segments[index] ?? "");
    for (const name of inQuery) input[name] = single(query, name, aliases?.[name]);

    const parsed = parameters.safeParse(input);
    if (parsed.success) return parsed.data;
    // Where a schema has no words, a library's would not complete our sentence. Asked for at once, these would cost
    // every request a third: zod's fast path has no words.
    const issue = parameters.safeParse(input, { error: () => "has a value that is not allowed" }).error?.issues[0];
    const name = String(issue?.path[0]);
    if (input[name] === undefined) throw missingParameter(name);
    throw invalidParameter(`The parameter ${name} ${issue?.message}.`);
  };
}
