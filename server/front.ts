import type { IncomingMessage } from "node:http";
import { parseProxies } from "@/lib/platform/addresses";
import { clientFinder, type FindClient, PROXIES_REMEMBERED_MS } from "@/lib/platform/network/forwarded";
import { isOwnHost, isProbe, isSameName, lastRight, leadsToPort } from "@/lib/platform/network/host";
import { HOUR_MS } from "@/lib/platform/time";
import { type NoteProxy, type ProxyWarnings, proxyWarnings } from "./proxy-warnings";

/** The proxies and the address in front of this process. */
export interface Front {
  findClient: FindClient;
  /** The address that people open, if configured (NEXTAUTH_URL). */
  origin: URL | undefined;
  /** Whether a valid Host is this service's own (contract, section 1: host). */
  isOwnHost(host: string): boolean;
  /**
   * Whether a request without any header of a proxy was sent to another address than this port, so that something
   * passed it on (contract, section 1: client address). After one such request from this machine, nobody can be told
   * from who comes through the same tunnel, for a week.
   */
  isPassedOn(request: Pick<IncomingMessage, "socket" | "httpVersion" | "url">, host: string | undefined): boolean;
  /** Reads when requests were last passed on, in whichever process. */
  recall(): Promise<void>;
  warnings: ProxyWarnings;
}

interface Memory {
  note?: NoteProxy;
  /** When requests from this machine were last passed on, in Unix ms, as far as it was noted. */
  lastPassed?: () => Promise<number>;
}

/** What other processes noted counts here within a minute, and what is passed on every hour is noted every hour. */
const RECALL_MS = 60_000;
const NOTE_AGAIN_MS = HOUR_MS;
/** This machine's name may lead to such an address, on Debian to 127.0.1.1. */
const OTHER_LOOPBACK = /^(?:::ffff:)?127\.(?!0\.0\.1$)/;

/**
 * The front described by TRUSTED_PROXIES and NEXTAUTH_URL. `note` is called once for each kind of nearby proxy that is
 * not named, or names no client.
 */
export function frontOf(
  trustedProxies: string | undefined,
  address: string | undefined,
  { note = () => {}, lastPassed = async () => 0 }: Memory = {},
): Front {
  const origin = address === undefined ? undefined : new URL(address);
  const leadsHere = lastRight(
    (host, port) => (origin === undefined || leadsToPort(origin, port)) && leadsToPort(new URL(`http://${host}`), port),
  );
  let [passedAt, notedAt, recalledAt] = [0, 0, 0];
  const recall = async () => {
    recalledAt = Date.now();
    const before = notedAt;
    const last = await lastPassed();
    passedAt = Math.max(passedAt, last);
    // A note that failed is repeated.
    if (notedAt === before) notedAt = last;
  };
  return {
    findClient: clientFinder(parseProxies(trustedProxies ?? "") ?? []),
    origin,
    isOwnHost: lastRight((host) => isOwnHost(host, origin)),
    isPassedOn({ socket, httpVersion, url = "" }, host) {
      const { remoteAddress: peer = "", localAddress: own, localPort = 0 } = socket;
      const isLoopback = /^(?:::1$|(?:::ffff:)?127\.)/.test(peer);
      // Somebody in front ended TLS: this service has none.
      if (!isLoopback && peer !== own) return origin?.protocol === "https:" && !!host && isSameName(host, origin);
      // nginx speaks HTTP/1.0 to the servers behind it unless told otherwise, and nobody else does.
      if (host === undefined || httpVersion === "1.0") return true;
      const now = Date.now();
      if (now - recalledAt > RECALL_MS) void recall();
      const mayBeNamed = !isLoopback || OTHER_LOOPBACK.test(own ?? "");
      if ((isLoopback && leadsHere(host, localPort)) || (mayBeNamed && leadsToOwn(host, localPort, own)))
        return now - passedAt < PROXIES_REMEMBERED_MS;
      if (isProbe(url)) return true;
      passedAt = now;
      if (now - notedAt > NOTE_AGAIN_MS) {
        notedAt = now;
        note({ proxy: peer, isSilent: true, isPassing: true });
      }
      return true;
    },
    recall,
    warnings: proxyWarnings(trustedProxies, address, note),
  };

  function leadsToOwn(host: string, port: number, own: string | undefined): boolean {
    if (origin !== undefined && !leadsToPort(origin, port) && !leadsToPort(origin, port, own)) return false;
    const requested = new URL(`http://${host}`);
    const isOrigin = origin !== undefined && isSameName(host, origin) && Number(requested.port || 80) === port;
    return isOrigin || leadsToPort(requested, port, own);
  }
}
