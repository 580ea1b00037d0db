import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { type Caller, findCaller, storedTokenHash } from "@/lib/auth/caller";
import { env } from "@/lib/env";
import { ApiError, rateLimited } from "@/lib/errors";
import { clientNetwork, type Network } from "@/lib/network";
import { networkLimiter } from "@/lib/network-limits";
import { originOf } from "@/lib/origin";
import { errorAnswer, jsonAnswer, optionsAnswer, withCommonHeaders } from "./answer";
import { bearerToken } from "./bearer";
import { readParameters, splitAddress } from "./parameters";
import { refusalOf } from "./refusal";
import { recordRequest } from "./request-log";

/** Who may ask: a user by token; the same, looked up by the handler together with the thing itself; or anybody. */
interface Callers {
  token: Caller;
  tokenHash: string;
  nobody: null;
}

/** What a handler gets. */
export interface Asked<Parameters, Who> {
  parameters: Parameters;
  caller: Who;
  network: Network;
  /** Where this deployment is reached, without a slash at the end. */
  origin: string;
  headers: Headers;
  /** To be told who asks, for the log line, where the handler looks that up itself. */
  isFor(userId: string): void;
}

export interface Declaration<Schema extends z.ZodObject = z.ZodObject, Mode extends keyof Callers = keyof Callers> {
  /** The pattern, as it stands in log lines and in the interface's description: `/keys/get/{id}`. */
  path: string;
  summary: string;
  /** A route that changes something refuses HEAD, prefetching and sub-resources of pages (contract, section 1). */
  access: "read" | "change";
  caller: Mode;
  /** Every known parameter but `auth`, those of the path included. */
  parameters: Schema;
  /** Other names that a parameter is known by. */
  aliases?: Record<string, readonly string[]>;
  /** The body of a 200. */
  response: z.ZodType;
  /** The media type of a 200; JSON where none is named. */
  mediaType?: string;
  /**
   * A request of Alice's and its answer, in the words of ./cast: for the interface's description. A test replays it. Without
   * `answer` where that is different every time.
   */
  example: { parameters?: Record<string, string>; answer?: unknown };
  /** Answers without an error beside 200, by status: what they mean. */
  otherAnswers?: Record<number, string>;
  /** Headers that a 200 has of its own: what they say. */
  answerHeaders?: Record<string, string>;
  /** The codes of the errors that only this route has. */
  errors?: readonly string[];
  /** Replaces the answer to all errors but 405 and 403 `prefetch_refused` (contract, section 4: /link/user). */
  refusal?: (error: ApiError) => { status: number; body: object };
  /** Answers the body of a 200, or a whole Response where that is not JSON in one piece or has headers of its own. */
  answer(asked: Asked<z.infer<Schema>, Callers[Mode]>): Promise<unknown>;
}

/** A method of a route, as both lanes call it. Next passes parameters of the path too; they are read from the address instead. */
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

const failedTokens = networkLimiter("failed tokens", env.FAILED_TOKENS_PER_MINUTE, 60);

/**
 * Makes the handlers of an API route from its declaration. This is the one place for what every route does alike
 * (contract, section 1), in the contract's order: method, prefetch, token, parameters, then the route's own answer; and
 * the one place where an error becomes an answer and a request becomes a log line.
 */
export function endpoint<Schema extends z.ZodObject, Mode extends keyof Callers>(declaration: Declaration<Schema, Mode>): Route {
  const allow = declaration.access === "read" ? "GET, HEAD, OPTIONS" : "GET, OPTIONS";

  const methods = (request: Request, id: string, isFor: (userId: string) => void): Promise<Response> | Response => {
    switch (request.method) {
      case "OPTIONS":
        return optionsAnswer(allow, { "X-Request-Id": id });
      case "GET":
        return perform(declaration, request, id, isFor);
      case "HEAD":
        if (declaration.access === "read") return perform(declaration, request, id, isFor).then(withoutBody);
    }
    return errorAnswer(new ApiError(405, "method_not_allowed", `This address answers ${allow} only.`, { Allow: allow }), { "X-Request-Id": id });
  };

  const handler: Handler = async (request) => {
    const id = randomUUID();
    const started = performance.now();
    let userId: string | undefined;
    const response = await methods(request, id, (known) => {
      userId = known;
    });
    recordRequest({ id, route: declaration.path, method: request.method, status: response.status, started, userId });
    return response;
  };

  const GET = Object.assign((request: Request) => handler(request), { declaration: declaration as unknown as Declaration });
  return { GET, HEAD: handler, OPTIONS: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler };
}

async function perform<Schema extends z.ZodObject, Mode extends keyof Callers>(
  declaration: Declaration<Schema, Mode>,
  request: Request,
  id: string,
  isFor: (userId: string) => void,
): Promise<Response> {
  const common = { "X-Request-Id": id };
  if (declaration.access === "change" && isPrefetch(request.headers)) {
    const sentence = "This address changes something, so it does not answer prefetching or a page's sub-resource.";
    return errorAnswer(new ApiError(403, "prefetch_refused", sentence), common);
  }
  try {
    const answer = await answerOf(declaration, request, isFor);
    return answer instanceof Response ? withCommonHeaders(answer, common) : jsonAnswer(answer, common);
  } catch (thrown) {
    return refusalAnswer(declaration, await refusalFor(thrown, request, id), id);
  }
}

/** An error as this route tells it. */
export function refusalAnswer({ refusal }: Pick<Declaration, "refusal">, error: ApiError, id: string): Response {
  const common = { "X-Request-Id": id };
  const own = refusal?.(error);
  return own ? jsonAnswer(own.body, { ...error.headers, ...common }, own.status) : errorAnswer(error, common);
}

async function answerOf<Schema extends z.ZodObject, Mode extends keyof Callers>(
  declaration: Declaration<Schema, Mode>,
  request: Request,
  isFor: (userId: string) => void,
): Promise<unknown> {
  const { path, query } = splitAddress(request.url);
  // The token is judged before the parameters are, so a bad parameter waits until the caller is known.
  const tokenHash = declaration.caller === "nobody" ? null : await storedTokenHash(bearerToken(query, request.headers));
  const known = attempt(() => readParameters(declaration, path, query));
  const looksUpItself = declaration.caller === "tokenHash" && "value" in known;
  const caller = tokenHash === null || looksUpItself ? tokenHash : await findCaller(tokenHash);
  if (caller !== null && typeof caller === "object") isFor(caller.id);
  if ("thrown" in known) throw known.thrown;
  return declaration.answer({
    parameters: known.value,
    caller: caller as Callers[Mode],
    network: clientNetwork(request.headers),
    origin: originOf(request),
    headers: request.headers,
    isFor,
  });
}

/** What went wrong, as the client is told. Guesses of tokens are counted. */
async function refusalFor(thrown: unknown, request: Request, id: string): Promise<ApiError> {
  const error = refusalOf(thrown, "a request failed", id);
  if (error.code !== "invalid_token") return error;
  const network = clientNetwork(request.headers);
  if (network.kind === "local" || network.kind === "unknown") return error;
  const { allowed, retryAfter } = await failedTokens.take(network.id);
  return allowed ? error : rateLimited(retryAfter, "Too many invalid tokens from this network. Try again later.");
}

/** Browsers and pages fetch addresses that nobody clicked (contract, section 1: prefetch). */
function isPrefetch(headers: Headers): boolean {
  const purpose = `${headers.get("sec-purpose") ?? ""} ${headers.get("purpose") ?? ""} ${headers.get("x-moz") ?? ""}`;
  return (
    /prefetch/i.test(purpose) ||
    headers.has("next-router-prefetch") ||
    headers.has("next-router-segment-prefetch") ||
    headers.get("sec-fetch-mode") === "no-cors"
  );
}

function attempt<T>(work: () => T): { value: T } | { thrown: unknown } {
  try {
    return { value: work() };
  } catch (thrown) {
    return { thrown };
  }
}

async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}
