import type { z } from "zod";
import { invalidToken, missingToken } from "@/lib/accounts/errors";
import { findTokenCaller, recordUse, requireAccess } from "@/lib/accounts/identity/access-tokens/use";
import { recordSeen } from "@/lib/accounts/identity/seen";
import { activeCaller, findCaller, storedTokenHash } from "@/lib/accounts/identity/token";
import type { Caller } from "@/lib/accounts/identity/user";
import { couldBeToken, isAccessToken } from "@/lib/platform/crypto/tokens";
import { env } from "@/lib/platform/env";
import { ApiError, methodNotAllowed, preconditionFailed, prefetchRefused, rateLimited } from "@/lib/platform/errors";
import { wouldAppend } from "@/lib/platform/http/headers";
import { decoded, parameterReader, type Query, splitAddress } from "@/lib/platform/http/query";
import { errorResponse, jsonResponse, optionsResponse, withCommonHeaders } from "@/lib/platform/http/response";
import { limiterOfProcess, networkLimiter } from "@/lib/platform/limits/limits";
import { clientNetwork } from "@/lib/platform/network/client";
import { originOf } from "@/lib/platform/network/host";
import type { Network } from "@/lib/platform/network/network";
import { namedRequest, once } from "@/lib/platform/requests/results";
import {
  ALLOW,
  type Callers,
  type Declaration,
  type Route,
  refusesPrefetch,
  requestParameter,
  withoutAlias,
} from "./declaration";
import { handlersOf } from "./handler";
import { refusalOf } from "./refusal";

/**
 * The token of a request, in the parameter `auth` or as a bearer token. Throws 401 `missing_token`, and 401
 * `invalid_token` for one that is malformed, repeated, or in conflict with the other (contract, section 1: token).
 */
export function bearerToken(query: Query, headers: Headers): string {
  const values = query.get("auth")?.map(decoded);
  const authorization = headers.get("authorization") ?? "";
  // Sliced, not matched: a pattern with whitespace on both sides takes minutes for a header of nothing but spaces.
  const bearer = /^Bearer /i.test(authorization) ? authorization.slice("Bearer ".length).trim() : undefined;
  if (values === undefined && bearer === undefined) throw missingToken();
  if (values?.length === 1 && values[0] === "" && bearer === undefined) throw missingToken();
  const token = values ? values[0] : bearer;
  const contradicted = values !== undefined && (values.length > 1 || (bearer !== undefined && bearer !== token));
  if (token === undefined || contradicted || !couldBeToken(token)) throw invalidToken();
  return token;
}

/** The parameters of a longer address are read only for somebody whose token is good: that takes milliseconds. */
const LONG_ADDRESS = 8_192;

const failedTokens = networkLimiter("failed tokens", env.FAILED_TOKENS_PER_MINUTE, {
  seconds: 60,
  counter: limiterOfProcess,
});

/**
 * Creates the handlers of an API route from its declaration. Everything that all routes do alike (contract, section 1)
 * happens here, in the contract's order: method, prefetch, token, parameters, then the route's own `respond`. Only here
 * does an error become a response and a request become a log line.
 */
export function endpoint<
  Schema extends z.ZodObject,
  Mode extends keyof Callers,
  Subject = undefined,
  Result = undefined,
>(declaration: Declaration<Schema, Mode, Subject, Result>): Route {
  const allow = ALLOW[declaration.access];
  const readParameters = parameterReader(declaration);

  const methods = (request: Request, id: string, isFor: (userId: string) => void): Promise<Response> | Response => {
    switch (request.method) {
      case "OPTIONS":
        return optionsResponse(allow, { "X-Request-Id": id });
      case "GET":
        return perform({ declaration, readParameters }, request, { id, isFor });
      case "HEAD":
        if (declaration.access === "read")
          return perform({ declaration, readParameters }, request, { id, isFor }).then(withoutBody);
    }
    return errorResponse(methodNotAllowed(allow), { "X-Request-Id": id });
  };

  const { GET, ...others } = handlersOf(declaration.path, methods);
  return { GET: Object.assign(GET, { declaration: declaration as unknown as Declaration }), ...others };
}

interface Declared<Schema extends z.ZodObject, Mode extends keyof Callers, Subject, Result> {
  declaration: Declaration<Schema, Mode, Subject, Result>;
  readParameters: (path: string, query: Query) => z.infer<Schema>;
}

const readRequestId = parameterReader({ path: "", parameters: requestParameter });

async function perform<Schema extends z.ZodObject, Mode extends keyof Callers, Subject, Result>(
  declared: Declared<Schema, Mode, Subject, Result>,
  request: Request,
  { id, isFor }: { id: string; isFor: (userId: string) => void },
): Promise<Response> {
  const { declaration } = declared;
  const common = { "X-Request-Id": id };
  if (refusesPrefetch(declaration) && isPrefetch(request.headers)) return errorResponse(prefetchRefused(), common);
  try {
    const result = await responseOf(declared, request, isFor);
    return result instanceof Response ? withCommonHeaders(result, common) : jsonResponse(result, common);
  } catch (thrown) {
    const error = await refusalFor(await asOfNow(declaration, request, thrown), request, id);
    return refusalResponse(declaration, error, id);
  }
}

/** An error as this route reports it. */
export function refusalResponse({ refusal }: Pick<Declaration, "refusal">, error: ApiError, id: string): Response {
  const common = { "X-Request-Id": id };
  const own = refusal?.(error);
  return own ? jsonResponse(own.body, { ...error.headers, ...common }, own.status) : errorResponse(error, common);
}

async function responseOf<Schema extends z.ZodObject, Mode extends keyof Callers, Subject, Result>(
  { declaration, readParameters }: Declared<Schema, Mode, Subject, Result>,
  request: Request,
  isFor: (userId: string) => void,
): Promise<unknown> {
  const { path: address, query } = splitAddress(request.url);
  const path = withoutAlias(address);
  // The token is checked before the parameters, so a bad parameter waits until the caller is authenticated.
  const token = declaration.caller === "nobody" ? null : bearerToken(query, request.headers);
  if (token !== null && request.url.length > LONG_ADDRESS) await verifyToken(token);
  const parameters = attempt(() => readParameters(path, query));
  const network = clientNetwork(request.headers);
  const { caller, subject } = token === null ? NOBODY : await callerAnd(declaration, { token, parameters, network });
  if (caller) {
    isFor(caller.id);
    recordSeen(caller.id);
  }
  if ("thrown" in parameters) throw parameters.thrown;
  if (!declaration.hasRanges && wouldAppend(request.headers)) throw preconditionFailed();
  const { change, again } = declaration;
  // Written out for each call: to copy it with another field costs a fifth of a short request.
  const call = (who: Caller | null, subject: Subject, result: Result) => ({
    parameters: parameters.value,
    caller: who as Callers[Mode],
    subject,
    result,
    network,
    origin: originOf(request),
    headers: request.method === "HEAD" ? withoutRange(request.headers) : request.headers,
    signal: () => request.signal,
  });
  const none = undefined as Subject & Result;
  if (!change || !caller) {
    const existing = subject();
    // To wait for what is there already costs a twentieth of a short request.
    return declaration.respond(
      call(caller, (existing instanceof Promise ? await existing : existing) as Subject, none),
    );
  }
  const { request: requestId } = readRequestId("", query);
  const what = requestId === undefined ? undefined : namedRequest(requestId, [declaration.path, parameters.value]);
  const { result, isRepeat } = await once({ id: caller.id, request: what }, async () => {
    declaration.check?.(parameters.value);
    return change(call({ ...caller, request: what }, (await subject()) as Subject, none));
  });
  const complete = isRepeat && again ? await again(result, call(caller, none, result)) : result;
  return declaration.respond(call(caller, none, complete));
}

/** Ranges are defined for GET alone (RFC 9110, section 14.2). */
function withoutRange(headers: Headers): Headers {
  const others = new Headers(headers);
  others.delete("range");
  return others;
}

/** Throws as `activeCaller` does. */
async function verifyToken(token: string): Promise<Caller> {
  return isAccessToken(token) ? findTokenCaller(token) : findCaller(await storedTokenHash(token));
}

interface CallerAndSubject<Subject> {
  caller: Caller | null;
  /** Throws if it does not exist. */
  subject: () => Promise<Subject> | Subject | undefined;
}

const nothing = () => undefined;
const NOBODY: CallerAndSubject<never> = { caller: null, subject: nothing };

/** The caller and the route's subject. Throws as `activeCaller` does, and 403 `token_access`. */
async function callerAnd<Schema extends z.ZodObject, Mode extends keyof Callers, Subject, Result>(
  declaration: Declaration<Schema, Mode, Subject, Result>,
  { token, parameters, network }: { token: string; parameters: Attempt<z.infer<Schema>>; network: Network },
): Promise<CallerAndSubject<Subject>> {
  const { find } = declaration;
  if (isAccessToken(token)) {
    const caller = await findTokenCaller(token);
    recordUse(caller, { network });
    requireAccess(caller, declaration.needs ?? "everything");
    if (!find || "thrown" in parameters) return { caller, subject: nothing };
    return { caller, subject: () => find.forCaller(caller, parameters.value) };
  }
  const tokenHash = await storedTokenHash(token);
  if (!find || "thrown" in parameters) return { caller: await findCaller(tokenHash), subject: nothing };
  const { user, subject } = await find.withCaller(tokenHash, parameters.value);
  return { caller: activeCaller(user), subject };
}

/**
 * What stops a route whose caller was deleted meanwhile, or their token removed, may look like a fault of ours. Then it
 * is what the caller's next request gets.
 */
async function asOfNow(
  { caller }: Pick<Declaration, "caller">,
  { url, headers }: Request,
  thrown: unknown,
): Promise<unknown> {
  if (caller === "nobody" || thrown instanceof ApiError) return thrown;
  try {
    await verifyToken(bearerToken(splitAddress(url).query, headers));
  } catch (refused) {
    if (refused instanceof ApiError) return refused;
  }
  return thrown;
}

/** The error to send to the client. Counts guesses of tokens. */
async function refusalFor(thrown: unknown, request: Request, id: string): Promise<ApiError> {
  const error = refusalOf(thrown, "a request failed", id);
  if (error.code !== "invalid_token") return error;
  return (await refusalOfGuesser(clientNetwork(request.headers))) ?? error;
}

/** Counts an invalid token. Returns 429 `rate_limited` if this network sent too many, else null. */
export async function refusalOfGuesser(network: Network): Promise<ApiError | null> {
  if (network.kind === "local" || network.kind === "unknown") return null;
  const { allowed, retryAfter } = await failedTokens.consume(network.id);
  return allowed ? null : rateLimited(retryAfter, "Too many invalid tokens from this network. Try again later.");
}

/** Browsers and pages fetch addresses that nobody clicked on (contract, section 1: prefetch). */
function isPrefetch(headers: Headers): boolean {
  const purpose = `${headers.get("sec-purpose") ?? ""} ${headers.get("purpose") ?? ""} ${headers.get("x-moz") ?? ""}`;
  return (
    /prefetch/i.test(purpose) ||
    headers.has("next-router-prefetch") ||
    headers.has("next-router-segment-prefetch") ||
    headers.get("sec-fetch-mode") === "no-cors"
  );
}

type Attempt<T> = { value: T } | { thrown: unknown };

function attempt<T>(work: () => T): Attempt<T> {
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
