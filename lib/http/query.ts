import { duplicateParameter, invalidParameter, unstorableParameter } from "@/lib/errors";
import { MAX_PARAMETERS, tooManyParameters } from "./page-limits";

/** The values of each parameter, still encoded: most of a long address is never read. */
export type Query = Map<string, string[]>;

/** A longer name is none of ours, however it is encoded. */
const MOST_OF_NAME = 100;

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
    const name = encoded.length > MOST_OF_NAME ? undefined : decoded(encoded);
    if (name === undefined) continue;
    const value = equals < 0 ? "" : pair.slice(equals + 1);
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

/**
 * The single value of a known parameter, or undefined if it was not sent. `aliases` are other names of the parameter:
 * both may be sent if they agree. Throws 400 `duplicate_parameter` or `invalid_parameter`.
 */
export function single(query: Query, name: string, aliases: readonly string[] = []): string | undefined {
  let found: string | undefined;
  for (const alias of [name, ...aliases]) {
    const values = query.get(alias);
    if (!values) continue;
    if (values.length > 1) throw duplicateParameter(alias);
    const value = text(alias, decoded(values[0] ?? ""));
    if (found !== undefined && found !== value)
      throw invalidParameter(`The parameters ${name} and ${alias} mean the same, but were sent with different values.`);
    found = value;
  }
  return found;
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
