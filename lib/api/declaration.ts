import { z } from "zod";
import type { StoredCaller } from "@/lib/accounts/identity/token";
import type { Caller } from "@/lib/accounts/identity/user";
import type { Access } from "@/lib/platform/access";
import type { ApiError } from "@/lib/platform/errors";
import type { Network } from "@/lib/platform/network/network";

/** Who may call: a user with a token, or anybody. */
export interface Callers {
  token: Caller;
  nobody: null;
}

/** Finds a route's subject. Throws if it does not exist. */
interface Find<Parameters, Subject> {
  /**
   * With the user whose account's token has this hash, in one statement. `subject` is called, and throws, after the
   * user was checked.
   */
  withCaller(
    tokenHash: string,
    parameters: Parameters,
  ): Promise<{ user: StoredCaller | undefined; subject: () => Subject }>;
  /** For a user who is authenticated already. */
  forCaller(caller: Caller, parameters: Parameters): Promise<Subject>;
}

/** What a handler gets. */
interface Call<Parameters, Who, Subject> {
  parameters: Parameters;
  caller: Who;
  /** What `find` returned. */
  subject: Subject;
  network: Network;
  /** The origin of this deployment, without a trailing slash. */
  origin: string;
  headers: Headers;
  /** Aborted when the client disconnects. Costs something, so request it only where it is needed. */
  signal: () => AbortSignal;
}

type Repeated<Parameters, Who> = Omit<Call<Parameters, Who, never>, "subject">;

export interface Declaration<
  Schema extends z.ZodObject = z.ZodObject,
  Mode extends keyof Callers = keyof Callers,
  Subject = unknown,
  Result = unknown,
> {
  /** The pattern, as in log lines and in the API description: `/keys/get/{id}`. */
  path: string;
  summary: string;
  /** A route that changes something refuses HEAD, prefetching and sub-resources of pages (contract, section 1). */
  access: "read" | "change";
  /** A route that only reads refuses prefetching and sub-resources of pages, too: each request counts as a guess. */
  isGuessable?: true;
  caller: Mode;
  /** It sends the part that Range asks for. Any other refuses who would take its 200 for the rest. */
  hasRanges?: true;
  /** The variable with the bearer token that this route takes in place of a user's. */
  operatorToken?: "METRICS_TOKEN";
  /** The access that a token needs. Left out: everything. */
  needs?: Access;
  /** Saves a separate statement for the caller. */
  find?: Mode extends "token" ? Find<z.infer<Schema>, Subject> : never;
  /** Every parameter except `auth`, including those of the path. */
  parameters: Schema;
  /** Aliases of parameters. */
  aliases?: Record<string, readonly string[]>;
  /** The body of a 200. */
  response: z.ZodType;
  /** The media type of a 200; JSON by default. */
  mediaType?: string;
  /**
   * An example request by Alice and its response, with the values of ./example-values, for the API description. A test
   * replays it. `response` is left out if it differs every time.
   */
  example: { parameters?: Record<string, string>; response?: unknown };
  /** Successful responses other than 200, by status: what they mean. */
  otherResponses?: Record<number, string>;
  /** Optional request headers specific to this route: what they do. */
  requestHeaders?: Record<string, string>;
  /** Headers specific to this route's 200: what they mean. */
  responseHeaders?: Record<string, string>;
  /** Error codes specific to this route. */
  errors?: readonly string[];
  /** Replaces the response to all errors except 405 and 403 `prefetch_refused` (contract, section 1: error). */
  refusal?: (error: ApiError) => { status: number; body: object };
  /** The bodies of a 404, if they are not all `refusal`'s. */
  refusedBody?: z.ZodType;
  /** When the route responds with `refusal`'s body, if that is the same for several errors. */
  refusedWhen?: string;
  /**
   * Refuses parameters that a repeat of a request (contract, section 1: request) may have: it comes later. Throws 400.
   */
  check?: (parameters: z.infer<Schema>) => void;
  /**
   * What a route for users changes, before it responds: once for each id in the parameter `request`. It stores its
   * result (`once` of lib/platform/requests/results).
   */
  change?: (call: Call<z.infer<Schema>, Callers[Mode], Subject>) => Promise<Result>;
  /** Completes the result that was stored, without secrets, for a repeat. */
  again?: (result: Result, call: Repeated<z.infer<Schema>, Callers[Mode]>) => Promise<Result> | Result;
  /**
   * Returns the body of a 200, or a complete Response if that is not a single JSON value or has its own headers. After
   * a `change`, `subject` is missing: it may no longer exist when the request is repeated.
   */
  respond(call: Call<z.infer<Schema>, Callers[Mode], Subject> & { result: Result }): Promise<unknown>;
}

/** A method of a route, as both lanes call it. The parameters of the path are read from the address. */
export type Handler = (request: Request) => Promise<Response>;

export interface Route {
  GET: Handler & { declaration: Declaration };
  HEAD: Handler;
  OPTIONS: Handler;
  POST: Handler;
  PUT: Handler;
  PATCH: Handler;
  DELETE: Handler;
}

/** The methods that a route accepts. */
export const ALLOW = { read: "GET, HEAD, OPTIONS", change: "GET, OPTIONS" };

export const refusesPrefetch = ({ access, isGuessable }: Pick<Declaration, "access" | "isGuessable">) =>
  access === "change" || isGuessable === true;

export type Json = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: Json;
  example?: string;
}

/** The parameter of every route with a `change`. */
export const requestParameter = z.object({
  request: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{1,64}$/, "must be 1 to 64 characters of A-Z a-z 0-9 . _ ~ -")
    .optional()
    .describe(
      "An id that the program chose, such as a UUID. Within a day, the same request with the same id has one effect, " +
        "and the same response: it is safe to repeat.",
    ),
});

/** The parameters of a route, except `auth`, as OpenAPI describes them. */
export function parametersOf(declaration: Declaration): Parameter[] {
  const { change, parameters } = declaration;
  return [...described(declaration, parameters), ...(change ? described(declaration, requestParameter) : [])];
}

function described(declaration: Declaration, parameters: z.ZodObject): Parameter[] {
  const described = schemaOf(parameters, "input") as {
    properties?: Record<string, Json & { description?: string }>;
    required?: string[];
  };
  return Object.entries(described.properties ?? {}).map(([name, { description, ...schema }]) => {
    const inPath = declaration.path.includes(`{${name}}`);
    const required = inPath || (described.required ?? []).includes(name);
    return {
      name,
      in: inPath ? "path" : "query",
      required,
      description,
      schema,
      example: declaration.example.parameters?.[name],
    };
  });
}

/** The request headers specific to a route, as OpenAPI describes them. */
export function headersOf({ requestHeaders = {} }: Declaration): Parameter[] {
  return Object.entries(requestHeaders).map(([name, description]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  }));
}

/** Creating one takes a millisecond, and a page of the documentation shows dozens. */
const schemas = { input: new WeakMap<z.ZodType, Json>(), output: new WeakMap<z.ZodType, Json>() };

/** A zod schema as JSON Schema, for input or output. It is created once and shared: do not modify it. */
export function schemaOf(schema: z.ZodType, io: "input" | "output"): Readonly<Json> {
  const existing = schemas[io].get(schema);
  if (existing) return existing;
  const { $schema, ...described } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  schemas[io].set(schema, described);
  return described;
}

/** Addresses that other services with this interface have for routes of ours. */
export const ALIASES: Readonly<Record<string, string>> = {
  "/get_user": "/me",
  "/files/entries": "/read-files",
};

/** Every route is also there under this prefix. */
export const VERSION_PREFIX = "/v2";

/** The path of the route that a program means by this path (contract, section 1: other addresses). */
export function withoutAlias(path: string): string {
  const plain = path.startsWith(`${VERSION_PREFIX}/`) ? path.slice(VERSION_PREFIX.length) : path;
  return ALIASES[plain] ?? plain;
}
