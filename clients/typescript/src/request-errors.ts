import { type ErrorCode, LatchkeyError } from "./errors";

interface Thrown {
  message?: string;
  code?: string;
  cause?: Thrown;
}

/** What another request does not change. Node.js says so in the causes; browsers do not. */
const LASTING: [RegExp, ErrorCode][] = [
  [/ENOTFOUND|bad port/, "bad_address"],
  [/certificate/i, "bad_certificate"],
  [/Proxy (?:resp|Auth)/, "proxy_refused"],
  [/ERR_SSL|EPROTO/, "bad_response"],
];

/** Of a network at home or of a company, of a carrier or an overlay (RFC 6598), or of a link. */
const LOCAL = [
  /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254)\.[\d.]+$/,
  /^\[f[c-e]|\.local$/,
];

/** Where an address leads, in the words of browsers (Local Network Access). Undefined: elsewhere, or unknown. */
export function spaceOf(address: string): "loopback" | "local" | undefined {
  const { hostname } = new URL(address);
  if (/^(?:(?:.+\.)?localhost|127\..+|\[::1\])$/.test(hostname)) return "loopback";
  return LOCAL.some((form) => form.test(hostname)) ? "local" : undefined;
}

/** What to do where the browser asks whether a page of the internet may reach an address like this. */
function permissionFor(address: string): string {
  const page = globalThis.location?.origin;
  const mayAsk = page && page !== "null" && !spaceOf(page) && spaceOf(address);
  return mayAsk ? " If the browser asks whether this page may reach other devices or programs, allow it." : "";
}

/** A request that got no response. With the code `no_response`, another request can help. */
export function connectionError(address: string, error: unknown): LatchkeyError {
  let { code: all = "", cause } = error as Thrown;
  let detail = "";
  // The message of the error itself may hold the complete URL.
  for (; cause?.message; cause = cause.cause) {
    // Newer versions add advice of their own.
    detail = cause.message.trim().replace(/;.*/s, "");
    all += ` ${cause.code} ${detail}`;
  }
  const [, code = "no_response"] = LASTING.find(([pattern]) => pattern.test(all)) ?? [];
  const why = code === "no_response" ? "did not respond" : `cannot be reached (${detail})`;
  const advice = code === "no_response" ? permissionFor(address) : "";
  return new LatchkeyError(code, `${address} ${why}.${advice}`, { cause: error });
}

/** A response that leads elsewhere. It is not followed: the headers, and so the token, would go along. */
export function redirectError(address: string, path: string, { status, headers }: Response): LatchkeyError {
  // Browsers do not say where.
  const location = headers.get("Location") ?? "";
  const target = URL.canParse(location, address + path) ? new URL(location, address + path) : undefined;
  const where = target ? `to ${target.origin}${target.pathname.replace(path, "")}` : "elsewhere";
  return new LatchkeyError("redirected", `${address} redirects ${where}.`, { status });
}
