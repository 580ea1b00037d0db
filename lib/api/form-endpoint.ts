import type { z } from "zod";
import { ApiError, methodNotAllowed, prefetchRefused } from "@/lib/platform/errors";
import { bodyWithin } from "@/lib/platform/http/limits";
import { parameterReader, parseQuery } from "@/lib/platform/http/query";
import { jsonResponse, optionsResponse } from "@/lib/platform/http/response";
import { clientNetwork } from "@/lib/platform/network/client";
import { originOf } from "@/lib/platform/network/host";
import type { Network } from "@/lib/platform/network/network";
import type { Declaration, Handler, Route } from "./declaration";
import { forMethod, handlersOf } from "./handler";
import { refusalOf } from "./refusal";

interface FormCall<Parameters> {
  parameters: Parameters;
  network: Network;
  origin: string;
  headers: Headers;
  signal: () => AbortSignal;
}

interface FormDeclaration<Schema extends z.ZodObject> {
  path: string;
  /** The fields of the form. All are text. */
  parameters: Schema;
  /** The word for too many requests, where it has one of its own (RFC 8628, section 3.5). */
  tooMany?: "slow_down";
  /** Returns the complete response. An error with a code of OAuth's is reported by that. */
  respond(call: FormCall<z.infer<Schema>>): Promise<Response>;
}

/** A route that takes a form by POST. */
export type FormRoute = Record<keyof Route, Handler> & {
  GET: { declaration: Pick<Declaration, "path" | "refusal"> };
};

const ALLOWED = "POST, OPTIONS";

/** Every body of an OAuth request, of which a token is the largest part. */
const FORM_BYTES = 8_192;

/** Codes of errors that OAuth defines (RFC 6749, section 5.2; RFC 8628, section 3.5; RFC 7009, section 2.2.1). */
const OAUTH_CODES = [
  ...["invalid_request", "invalid_grant", "unsupported_grant_type", "unsupported_token_type"],
  ...["authorization_pending", "slow_down", "access_denied", "expired_token"],
];

/** An error as OAuth defines it, with status 400. */
export const oauthError = (code: string, sentence: string, headers: Record<string, string> = {}) =>
  new ApiError(400, code, sentence, { headers });

/**
 * Creates the handlers of an OAuth endpoint: a form by POST, of 8 KB at most, and errors as RFC 6749 has them (section
 * 5.2). Any web page may call it; it reads no cookie.
 */
export function formEndpoint<Schema extends z.ZodObject>(declaration: FormDeclaration<Schema>): FormRoute {
  const { path, tooMany } = declaration;
  const readParameters = parameterReader(declaration);
  const refusal = (error: ApiError) => ({ status: statusOf(error, tooMany), body: bodyOf(error, tooMany) });

  const respond = async (request: Request, id: string): Promise<Response> => {
    const common = { "X-Request-Id": id, Pragma: "no-cache" };
    if (request.method === "OPTIONS") return optionsResponse(ALLOWED, { "X-Request-Id": id });
    try {
      if (request.method !== "POST") throw methodNotAllowed(ALLOWED);
      if (!isOfProgram(request.headers)) throw prefetchRefused();
      const parameters = readParameters(path, parseQuery(await formOf(request)));
      const { headers } = request;
      const call = { parameters, network: clientNetwork(headers), origin: originOf(request), headers };
      const response = await declaration.respond({ ...call, signal: () => request.signal });
      for (const [name, value] of Object.entries(common)) response.headers.set(name, value);
      return response;
    } catch (thrown) {
      const error = refusalOf(thrown, "an OAuth request failed", id);
      const { status, body } = refusal(error);
      return jsonResponse(body, { ...error.headers, ...common }, status);
    }
  };

  const { GET, ...others } = handlersOf(path, async (request, id) => forMethod(request, await respond(request, id)));
  return { GET: Object.assign(GET, { declaration: { path, refusal } }), ...others };
}

/** Scripts of web pages may call it. Forms that a page sends, and beacons, are not sent by the page's own wish. */
function isOfProgram(headers: Headers): boolean {
  const mode = headers.get("sec-fetch-mode");
  return mode === null || mode === "cors" || mode === "same-origin";
}

function statusOf({ status, code }: ApiError, tooMany: FormDeclaration<z.ZodObject>["tooMany"]): number {
  if (status === 429) return tooMany ? 400 : 429;
  return status >= 500 || code === "method_not_allowed" || code === "prefetch_refused" ? status : 400;
}

function bodyOf({ status, code, message }: ApiError, tooMany: FormDeclaration<z.ZodObject>["tooMany"]): object {
  // Its characters: RFC 6749, section 5.2.
  return { error: wordFor(status, code, tooMany), error_description: message.replace(/["\\]|[^ -~]/g, "'") };
}

function wordFor(status: number, code: string, tooMany: FormDeclaration<z.ZodObject>["tooMany"]): string {
  if (OAUTH_CODES.includes(code)) return code;
  if (status === 429 && tooMany) return tooMany;
  if (status === 429 || status === 503) return "temporarily_unavailable";
  return status >= 500 ? "server_error" : "invalid_request";
}

const FORM = /^application\/x-www-form-urlencoded[\t ]*(?:;|$)/i;

/** The body as it was sent. Throws 400 `invalid_request` for any other media type, and 413 for a longer one. */
async function formOf(request: Request): Promise<string> {
  if (!FORM.test(request.headers.get("content-type") ?? ""))
    throw oauthError("invalid_request", "Send the parameters as application/x-www-form-urlencoded.");
  return bodyWithin(request, FORM_BYTES);
}
