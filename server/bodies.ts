import { badRequest, rateLimited, unavailable } from "@/lib/platform/errors";
import { hasMore, MAX_PARAMETERS, MAX_VALUES, valuesOf } from "@/lib/platform/http/limits";
import { Room } from "@/lib/platform/queue";
import { BODIES, MAX_PARTS } from "./gate-limits";

/**
 * The bodies that are arriving. If there is no space, a body of a network that holds less displaces the oldest body of
 * the network that holds the most. So a client that sends many and finishes none stops only itself. Refuses with 429
 * `rate_limited` if the network has its share, with 503 `unavailable` if there is no space.
 */
export const roomForBodies = ({ ofNetwork, ofAll } = BODIES) =>
  new Room({
    ofName: [ofNetwork],
    ofAll,
    yields: "oldest",
    refusal: (position) =>
      position === 0
        ? rateLimited(2, "Too much is being sent from this network right now. Try again in a moment.")
        : noSpace(),
  });

export const noSpace = () => unavailable("Too much is being sent to this service right now. Try again in a moment.");

/** Throws 400 `bad_request` for a form or a JSON text with more nesting or values than our pages send. */
export function checkContent(body: Buffer, type: string): void {
  const text = body.toString("latin1");
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(type);
  if (isForm ? hasMore(text, "&", MAX_PARAMETERS - 1) : valuesOf(text) > MAX_VALUES) throw tooComplex();
}

/**
 * Throws 400 `bad_request` unless this is how React writes arguments that our pages pass: JSON, dates and one form, at
 * most so many. React itself decodes many more kinds, level by level, compares references to a form with all fields,
 * and for what it cannot decode Next responds with 500.
 */
export function checkCall(body: Buffer, type: string, maxArguments: number): void {
  const boundary = /^multipart\/form-data;.*boundary=(.*)$/.exec(type)?.[1];
  const text = boundary === undefined ? body.toString("utf8") : argumentsIn(body.toString("utf8"), boundary);
  if (valuesOf(text) > MAX_VALUES) throw tooComplex();
  const args = parsed(text);
  if (!Array.isArray(args) || args.length > maxArguments || !args.every(isPassed)) throw notOurs();
}

/** The head of a part as browsers and React write it. */
const PART_HEAD = /^\r\nContent-Disposition: ?form-data; ?name="([^"\r\n]*)"\r\n\r\n/i;
/** A field of the form that an argument refers to. Anything else would be a value that it refers to. */
const FIELD = /^_?[0-9a-f]{1,3}_/;

/** The part with the arguments, of a form in which all others are fields: text, which is not decoded. */
function argumentsIn(text: string, boundary: string): string {
  const [before, ...parts] = text.split(`--${boundary}`, MAX_PARTS + 3);
  if (before !== "" || parts.length > MAX_PARTS + 1) throw tooComplex();
  if (!parts.pop()?.startsWith("--")) throw notOurs();
  const args: string[] = [];
  for (const part of parts) {
    const [head = "", name = ""] = PART_HEAD.exec(part) ?? [];
    if (name === "0") args.push(part.slice(head.length, -"\r\n".length));
    else if (!FIELD.test(name)) throw notOurs();
  }
  const [only, ...others] = args;
  if (only === undefined || others.length > 0) throw notOurs();
  return only;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notOurs();
  }
}

/** What React writes for text that begins with a dollar, dates, forms, and values that JSON lacks. */
const MARKED = /^\$(?:\$|D[\d+-][\dTZ:.-]{0,40}$|K[0-9a-f]{1,3}$|undefined$|NaN$|-?Infinity$|-0$)/;

function isPassed(value: unknown): boolean {
  if (typeof value === "string") return !value.startsWith("$") || MARKED.test(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isPassed);
}

const tooComplex = () => badRequest("The data sent is nested too deeply, or has too many parts. Load the page again.");
/** 400 `bad_request`, for a call that no page makes. */
export const notOurs = () =>
  badRequest("The data sent did not come from one of this service's pages. Load the page again.");
