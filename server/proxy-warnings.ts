import type { IncomingMessage } from "node:http";
import { audit, PROXIES } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { EDGES } from "@/lib/platform/network/edges";
import { type Client, type Gap, PROXIES_REMEMBERED_MS } from "@/lib/platform/network/forwarded";
import { changedFrom, isInternalName, isProbe, nameIn } from "@/lib/platform/network/host";

/** The address that somebody opened, according to the trusted proxies. */
interface Opened {
  proto: string | undefined;
  host: string | undefined;
  /** Whether that is this service's own. */
  isOurs: boolean;
}

/** A proxy to record for `doctor`. */
interface Noted {
  proxy: string;
  /** It names no client. */
  isSilent: boolean;
  /** It is on this machine, and passes on what was sent to another address. */
  isPassing?: boolean;
  /** The header that names another client than trusted proxies do. */
  header?: string;
}

export type NoteProxy = (proxy: Noted) => void;

/** Records for `doctor` of edges, each at another address. Anybody may pretend to be one. */
const MAX_EDGES = 8;
/** Lines of a fault with each another name: whoever makes up names must not use up the only line. */
const MAX_NAMES = 8;

/** Checks a request for signs of a wrong proxy configuration. */
export type ProxyWarnings = (request: Pick<IncomingMessage, "url" | "headers">, client: Client, opened: Opened) => void;

/**
 * Tells the operator what to set, each fault once, regardless of what clients send: one line for each kind of proxy and
 * of address, and a few for each fault with names of the request's own. `note` gets nearby proxies that TRUSTED_PROXIES
 * does not name, or that name no client, and some edges. Any other on the internet may be anybody who sends such
 * headers.
 */
export function proxyWarnings(
  trustedProxies: string | undefined,
  origin: string | undefined,
  note: NoteProxy,
): ProxyWarnings {
  const reported = new Set<string>();
  const edges = new Set<string>();
  const warnOnce = (fault: string, sentence: () => string): boolean => {
    if (reported.has(fault)) return false;
    reported.add(fault);
    log.warn(sentence());
    return true;
  };
  const named = new Map<string, number>();
  const warnOfEach = (fault: string, name: string, sentence: () => string): void => {
    const count = named.get(fault) ?? 0;
    if (count < MAX_NAMES && warnOnce(`${fault} ${name}`, sentence)) named.set(fault, count + 1);
  };

  return ({ url = "", headers }, { gap, hops }, { proto, host, isOurs }) => {
    // What monitors ask needs no public address.
    const isSilent = gap?.why === "silent" || gap?.why === "unnamed";
    if (gap && !(isSilent && isProbe(url))) {
      // Nobody forges the address of a connection: an edge of which the address is published is told apart.
      const kind = gap.edge ?? (gap.why === "edge" ? "edge" : `${gap.why} ${gap.place} ${hops > 0}`);
      const isNew = warnOnce(kind, () => sentenceOf(gap, hops, trustedProxies));
      if (gap.why === "edge" || gap.edge !== undefined) {
        if (edges.size < MAX_EDGES && !edges.has(gap.proxy)) {
          edges.add(gap.proxy);
          note({ proxy: gap.proxy, isSilent, header: gap.header });
        }
      } else if (isNew && gap.place !== "public") note({ proxy: gap.proxy, isSilent });
    }
    if (!isOurs && host !== undefined) {
      warnOfEach("host", nameIn(host), () => misdirected(host, origin));
      return;
    }
    if (origin === undefined) {
      const address = `${proto ?? "http"}://${host?.toLowerCase() ?? ""}`;
      const action = headers["next-action"]?.toString();
      const page = changedFrom({ origin: headers.origin, site: headers["sec-fetch-site"], action, address });
      if (page) warnOfEach("address", page.host, () => changed(page, address));
      return;
    }
    if (proto === "https" && origin.startsWith("http:")) warnOnce("scheme", () => wrongScheme(origin));
    // A browser that submits a form sends its origin; if that is not NEXTAUTH_URL, the form is refused.
    const from = host === undefined ? undefined : browserOrigin(headers.origin, host);
    if (from && from !== new URL(origin).host) warnOfEach("origin", from, () => wrongHost(from, origin));
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
    case "edge":
      return unnamedEdge(gap, trustedProxies);
    case "silent":
      return silent(gap);
    case "unnamed":
      return unnamed(gap, trustedProxies);
  }
}

const settingWith = (more: string, trustedProxies = "") =>
  [...new Set([...trustedProxies.split(/[\s,]+/), more])].filter((word) => word !== "").join(",");

function unnamedEdge({ proxy, edge, header }: Gap, trustedProxies: string | undefined): string {
  const setting = settingWith(edge ?? proxy, trustedProxies);
  const isEnough = edge !== undefined && EDGES[edge]?.header !== undefined;
  return (
    `Requests come through ${proxy}, for which ${header} names another client, as content delivery networks do: ` +
    `${WHAT_FOLLOWS}. ${edge ? "S" : "Only if it is yours, s"}et TRUSTED_PROXIES=${setting}` +
    `${isEnough ? "." : ", and have the proxy behind it add to X-Forwarded-For (docs/operations.md, behind a CDN)."}`
  );
}

function untrusted({ proxy, place, edge }: Gap, hops: number, trustedProxies: string | undefined): string {
  const setting = settingWith(edge ?? (place === "loopback" ? "loopback" : proxy), trustedProxies);
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

/** A proxy passes on the name of its upstream, unless it is told otherwise. */
function misdirected(host: string | undefined, origin: string | undefined): string {
  const isUpstream = host !== undefined && isInternalName(host);
  return (
    `A request named the host ${host}, which is not this service's own, and was refused (421). If a proxy of yours ` +
    "sent it, have that pass on the host that people open (in nginx: proxy_set_header Host $http_host)." +
    (isUpstream
      ? " If a program of yours did, add the name to ALLOWED_HOSTS."
      : ` If people open the service there, set NEXTAUTH_URL to that address${origin ? `; it is ${origin}` : ""}.`)
  );
}

function changed({ protocol, host, origin }: URL, address: string): string {
  const settings = [
    ...(address.endsWith(`//${host}`) ? [] : ["Host $http_host"]),
    ...(address.startsWith(protocol) ? [] : ["X-Forwarded-Proto $scheme"]),
  ].map((setting) => `proxy_set_header ${setting}`);
  return (
    `If people open this service at ${origin}, what stands in front of it passes on ${address}, and forms are ` +
    `refused: have it pass on what they open (in nginx: ${settings.join("; ")}), or set NEXTAUTH_URL=${origin}.`
  );
}

const wrongScheme = (origin: string) =>
  `People reach this service by https, but NEXTAUTH_URL is ${origin}: set ` +
  `NEXTAUTH_URL=${origin.replace("http:", "https:")}.`;

const wrongHost = (from: string, origin: string) =>
  `People open this service at ${from}, but NEXTAUTH_URL is ${origin}, and forms sent from elsewhere are refused: ` +
  "set NEXTAUTH_URL to the address that people open.";

/** Records a proxy, so that `doctor` can report it. Never throws. */
export async function noteProxy({ proxy, isSilent, isPassing, header }: Noted): Promise<void> {
  const detail = {
    proxy,
    ...(isSilent && { silent: "yes" }),
    ...(isPassing && { passing: "yes" }),
    ...(header && { header }),
  };
  try {
    await audit({ at: new Date(), action: "proxy.unnamed", subjectId: PROXIES, actorId: null, detail });
  } catch (error) {
    log.warn({ err: error }, "a proxy missing from TRUSTED_PROXIES could not be recorded for doctor");
  }
}

/** When it was last noted that requests are passed on on this machine, in Unix ms; 0 if not. Never throws. */
export async function lastPassed(): Promise<number> {
  try {
    const event = await db.auditEvent.findFirst({
      where: {
        ...{ subjectId: PROXIES, action: "proxy.unnamed", detail: { contains: '"passing"' } },
        at: { gte: new Date(Date.now() - PROXIES_REMEMBERED_MS) },
      },
      orderBy: { id: "desc" },
      select: { at: true },
    });
    return event?.at.getTime() ?? 0;
  } catch (error) {
    log.warn({ err: error }, "the proxies that were noticed could not be read");
    return 0;
  }
}
