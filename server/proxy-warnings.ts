import type { IncomingMessage } from "node:http";
import { audit, PROXIES } from "@/lib/platform/audit";
import { log } from "@/lib/platform/log";
import { isProbe } from "@/lib/platform/network/host";
import type { Client, Gap } from "./forwarded";

/** The address that somebody opened, according to the trusted proxies. */
interface Opened {
  proto: string | undefined;
  host: string | undefined;
  /** Whether that is this service's own. */
  isOurs: boolean;
}

/** Checks a request for signs of a wrong proxy configuration. */
export type ProxyWarnings = (request: Pick<IncomingMessage, "url" | "headers">, client: Client, opened: Opened) => void;

/**
 * Tells the operator what to set, each fault once, regardless of what clients send: one line for each kind of proxy and
 * of address. `note` gets nearby proxies that TRUSTED_PROXIES does not name, or that name no client. One on the
 * internet may be anybody who sends such headers.
 */
export function proxyWarnings(
  trustedProxies: string | undefined,
  origin: string | undefined,
  note: (proxy: string, isSilent: boolean) => void,
): ProxyWarnings {
  const reported = new Set<string>();
  const warnOnce = (fault: string, sentence: () => string): boolean => {
    if (reported.has(fault)) return false;
    reported.add(fault);
    log.warn(sentence());
    return true;
  };

  return ({ url = "", headers }, { gap, hops }, { proto, host, isOurs }) => {
    // What monitors ask needs no public address.
    const isSilent = gap !== undefined && gap.why !== "untrusted";
    if (gap && !(isSilent && isProbe(url))) {
      const isNew = warnOnce(`${gap.why} ${gap.place} ${hops > 0}`, () => sentenceOf(gap, hops, trustedProxies));
      if (isNew && gap.place !== "public") note(gap.proxy, isSilent);
    }
    if (!isOurs) warnOnce("host", () => misdirected(host, origin));
    if (origin === undefined) return;
    if (proto === "https" && origin.startsWith("http:")) warnOnce("scheme", () => wrongScheme(origin));
    // A browser that submits a form sends its origin; if that is not NEXTAUTH_URL, the form is refused.
    const from = host === undefined ? undefined : browserOrigin(headers.origin, host);
    if (from && from !== new URL(origin).host) warnOnce("host", () => wrongHost(from, origin));
  };
}

/** The host of the page that sent this request, if it is the requested host. */
function browserOrigin(originHeader: string | undefined, host: string): string | undefined {
  if (originHeader === undefined || !URL.canParse(originHeader)) return undefined;
  const from = new URL(originHeader).host;
  return from === host.toLowerCase() ? from : undefined;
}

const WHAT_FOLLOWS =
  "the people behind it cannot be told apart, share their limits, and must also press Allow for each link";

function sentenceOf(gap: Gap, hops: number, trustedProxies: string | undefined): string {
  switch (gap.why) {
    case "untrusted":
      return untrusted(gap, hops, trustedProxies);
    case "silent":
      return silent(gap);
    case "unnamed":
      return unnamed(gap, trustedProxies);
  }
}

const settingWith = (more: string, trustedProxies = "") =>
  [...trustedProxies.split(/[\s,]+/), more].filter((word) => word !== "").join(",");

function untrusted({ proxy, place }: Gap, hops: number, trustedProxies: string | undefined): string {
  const setting = settingWith(place === "loopback" ? "loopback" : proxy, trustedProxies);
  const where = { loopback: "on this machine", private: "in a private network", public: "on the internet" }[place];
  const before = hops > 0 ? " in front of a trusted proxy" : "";
  return (
    `Requests come through ${proxy}, ${where}${before}, which is not in TRUSTED_PROXIES: ${WHAT_FOLLOWS}. ` +
    `Only if it is a proxy of yours, set TRUSTED_PROXIES=${setting}.`
  );
}

function silent({ proxy }: Gap): string {
  return (
    `${proxy} is in TRUSTED_PROXIES, but sends no client address: ${WHAT_FOLLOWS}. ` +
    "Have it send X-Forwarded-For, or remove it from TRUSTED_PROXIES if it is not a proxy."
  );
}

const unnamed = ({ proxy }: Gap, trustedProxies: string | undefined) =>
  `Requests come through ${proxy}, a proxy or a tunnel on this machine that sends no client address: ` +
  `${WHAT_FOLLOWS}. Have the proxy send X-Forwarded-For, and set ` +
  `TRUSTED_PROXIES=${settingWith("loopback", trustedProxies)}. ` +
  "A tunnel, or a proxy in TCP mode, cannot do this: replace it with a proxy in HTTP mode.";

const misdirected = (host: string | undefined, origin: string | undefined) =>
  `A request named the host ${host}, which is not this service's own, and was refused (421). If ` +
  `people open the service there, set NEXTAUTH_URL to that address${origin ? `; it is ${origin}` : ""}.`;

const wrongScheme = (origin: string) =>
  `People reach this service by https, but NEXTAUTH_URL is ${origin}: set ` +
  `NEXTAUTH_URL=${origin.replace("http:", "https:")}.`;

const wrongHost = (from: string, origin: string) =>
  `People open this service at ${from}, but NEXTAUTH_URL is ${origin}, and forms sent from elsewhere are refused: ` +
  "set NEXTAUTH_URL to the address that people open.";

/**
 * Records that requests come through a proxy that is missing from TRUSTED_PROXIES or, a silent one, that names no
 * client, so that `doctor` can report it. Never throws.
 */
export async function noteProxy(proxy: string, isSilent: boolean): Promise<void> {
  const detail = { proxy, ...(isSilent && { silent: "yes" }) };
  try {
    await audit({ at: new Date(), action: "proxy.unnamed", subjectId: PROXIES, actorId: null, detail });
  } catch (error) {
    log.warn({ err: error }, "a proxy missing from TRUSTED_PROXIES could not be recorded for doctor");
  }
}
