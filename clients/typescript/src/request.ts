import { type ErrorCode, LatchkeyError } from "./errors";
import { connectionError, redirectError, spaceOf } from "./request-errors";

/** Where the service is, and as whom requests are sent. */
export interface Connection {
  /** Without a slash at its end. */
  address: string;
  token?: string;
}

export interface Call {
  query?: Record<string, string | undefined>;
  headers?: Record<string, string | undefined>;
  signal?: AbortSignal;
  /** It changes something: an error reports if that may have happened. */
  isChange?: boolean;
  /** Statuses that are no failures, beside 200. */
  accepted?: readonly number[];
  /** How long the service may take, in seconds, beyond what is usual. */
  patience?: number;
}

interface ReadCall<Result> extends Call {
  read: (response: Response) => Promise<Result>;
}

/** A response whose body has arrived. */
export interface JsonResponse<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

const USUAL_SECONDS = 30;
const MAX_ATTEMPTS = 6;
/** A service that requires a longer pause gets no more requests for this call. */
const MAX_PAUSE = 120;
const PASSING: readonly ErrorCode[] = ["no_response", "unavailable", "rate_limited"];

/** Requests JSON, repeatedly after pauses if that can help and doubles nothing. Throws a LatchkeyError. */
export async function requestJson<Body>(
  connection: Connection,
  path: string,
  call: Call = {},
): Promise<JsonResponse<Body>> {
  return repeated(call, () => requestJsonOnce<Body>(connection, path, call));
}

/** Requests JSON a single time. */
export function requestJsonOnce<Body>(connection: Connection, path: string, call: Call): Promise<JsonResponse<Body>> {
  const read = async (response: Response) => {
    const body = await jsonOf(response);
    if (body === undefined)
      throw new LatchkeyError("bad_response", notTheService(connection), { ...factsOf(response) });
    return { status: response.status, headers: response.headers, body: body as Body };
  };
  return request(connection, path, { ...call, read });
}

/** Requests JSON that is read as it arrives. Only the response's head is waited for. */
export function open(connection: Connection, path: string, call: Call): Promise<Response> {
  const read = async (response: Response) => {
    if (!response.ok || isJson(response)) return response;
    void response.body?.cancel().catch(() => {});
    throw new LatchkeyError("bad_response", notTheService(connection), factsOf(response));
  };
  return repeated(call, () => request(connection, path, { ...call, read }));
}

async function repeated<Result>({ isChange, signal }: Call, attempt: () => Promise<Result>): Promise<Result> {
  let isUnsure = false;
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LatchkeyError)) throw error;
      const { code, message, status = 0, retryAfter = 0, requestId, cause } = error;
      isUnsure ||= isChange === true && (code === "no_response" || (status >= 500 && code !== "storage_full"));
      if (!PASSING.includes(code) || attempts === MAX_ATTEMPTS || retryAfter > MAX_PAUSE)
        throw new LatchkeyError(code, message, {
          ...{ status: error.status, retryAfter: error.retryAfter, requestId, cause },
          mayHaveHappened: isUnsure,
        });
      await pause(Math.max(retryAfter, backoff(attempts)), signal);
    }
  }
}

async function request<Result>(
  connection: Connection,
  path: string,
  { query = {}, headers = {}, signal, accepted = [], patience = 0, read }: ReadCall<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const { address, token } = connection;
  // What no header can hold.
  if (token !== undefined && /[^!-~]/.test(token)) throw new LatchkeyError("invalid_token", "Invalid token.");
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error("It took too long.")), (USUAL_SECONDS + patience) * 1000);
  const parameters = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const headerList = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (token !== undefined) headerList.push(["Authorization", `Bearer ${token}`]);
  try {
    const response = await fetch(`${address}${path}${parameters.length ? `?${new URLSearchParams(parameters)}` : ""}`, {
      headers: headerList,
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      cache: "no-store",
      credentials: "omit",
      redirect: "manual",
      referrerPolicy: "no-referrer",
      ...announced(address),
    });
    const { status, type } = response;
    if (type === "opaqueredirect" || (status > 300 && status < 309 && status !== 304))
      throw redirectError(address, path, response);
    if (response.ok || accepted.includes(response.status)) return await read(response);
    throw refusal(connection, response, await jsonOf(response));
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof LatchkeyError) throw error;
    throw connectionError(address, error);
  } finally {
    clearTimeout(timer);
  }
}

/** The body, if it is JSON; undefined if a program between here and the service wrote something else. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  // JSON that cannot be parsed was cut on its way: as if it had not arrived.
  return isJson(response) ? JSON.parse(text) : undefined;
}

const isJson = ({ headers }: Response) => /^application\/json\b/.test(headers.get("Content-Type") ?? "");

function refusal(connection: Connection, response: Response, body: unknown): LatchkeyError {
  const { code, error } = (body ?? {}) as { code?: ErrorCode; error?: string };
  const facts = factsOf(response);
  if (typeof code === "string") return new LatchkeyError(code, String(error), facts);
  const { status } = response;
  if (status === 407) return new LatchkeyError("proxy_refused", "The proxy requires a name and a password.", facts);
  if (status === 429) return new LatchkeyError("rate_limited", "Too many requests. Try again later.", facts);
  if ([502, 503, 504].includes(status))
    return new LatchkeyError("unavailable", "The service is unavailable right now. Try again in a moment.", facts);
  if (status === 500 && body) return new LatchkeyError("internal", "Something went wrong in the service.", facts);
  return new LatchkeyError("bad_response", notTheService(connection), facts);
}

/**
 * Browsers that know it let a page with https ask the local network by http, if the request says so before. Of a name
 * like keys.local, only its look-up says where it leads.
 */
function announced(address: string): object {
  const targetAddressSpace = address.includes(".local") ? undefined : spaceOf(address);
  return targetAddressSpace && "targetAddressSpace" in Request.prototype ? { targetAddressSpace } : {};
}

const notTheService = ({ address }: Connection) => `${address} does not respond like Latchkey.`;

function factsOf({ status, headers }: Response): { status: number; retryAfter?: number; requestId?: string } {
  const seconds = headers.get("Retry-After") ?? "";
  return {
    status,
    retryAfter: /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined,
    requestId: headers.get("X-Request-Id") ?? undefined,
  };
}

/** Seconds before the next attempt: 0.5, 1, 2, 4, 8, and up to a half less, so that programs do not come in waves. */
export const backoff = (attempts: number): number => Math.min(8, 2 ** (attempts - 2)) * (1 - Math.random() / 2);

/** Waits. Throws the signal's reason when it is aborted. */
export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
