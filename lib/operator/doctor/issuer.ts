import { once } from "node:events";
import * as plain from "node:http";
import * as secure from "node:https";
import { json } from "node:stream/consumers";
import { metadataAt, SIGNED_BY_KEY } from "@/lib/accounts/ways-in/providers";
import { UNTRUSTED } from "@/lib/platform/db/explain";
import { env } from "@/lib/platform/env";
import { outgoing } from "@/lib/platform/network/outgoing";
import type { Fault } from "./finding";

const PATIENCE_MS = 10_000;
/** openid-client allows as much. */
const ALLOWED_DRIFT_MS = 10_000;

const NOT_FOUND = /^E(?:NOTFOUND|AI_AGAIN)$/;

/** Whether the issuer of OIDC_ISSUER can be asked from here, and people can sign in with what it says of itself. */
export async function* issuer(now: () => Date): AsyncGenerator<Fault> {
  if (!env.OIDC_ISSUER) return;
  const address = metadataAt(env.OIDC_ISSUER);
  try {
    const answer = await ask(address);
    const faults = answer.isByProxy ? [refusedByProxy(address, answer.status)] : faultsIn(answer, now());
    for (const [problem, advice] of faults) yield { problem: `${problem} (${address}).`, advice };
  } catch (error) {
    const { code = "no response", message } = error as NodeJS.ErrnoException;
    const [why, advice] = whyUnreachable(code);
    yield { problem: `The issuer in OIDC_ISSUER ${why} (${code}: ${message}).`, advice };
  }
}

interface Answer {
  status: number;
  /** Not the issuer's: the proxy did not open the way to it. */
  isByProxy: boolean;
  date: string | undefined;
  metadata: Record<string, unknown>;
}

async function ask(address: string): Promise<Answer> {
  const { get } = address.startsWith("https:") ? secure : plain;
  const request = get(address, { agent: outgoing, signal: AbortSignal.timeout(PATIENCE_MS) });
  let isByProxy = false;
  request.once("proxyConnect", ({ statusCode }: plain.IncomingMessage) => (isByProxy = statusCode !== 200));
  const [response]: plain.IncomingMessage[] = await once(request, "response");
  const { statusCode = 0, headers } = response as plain.IncomingMessage;
  const metadata = await json(response as plain.IncomingMessage).catch(() => ({}));
  return { status: statusCode, isByProxy, date: headers.date, metadata: Object(metadata) };
}

type Words = [problem: string, advice: string];

function refusedByProxy(address: string, status: number): Words {
  const variable = address.startsWith("https:") ? "HTTPS_PROXY" : "HTTP_PROXY";
  return [
    `The proxy in ${variable} does not open the way to the issuer: ${status}`,
    status === 407
      ? "Write the proxy's user and password in front of its name: http://user:password@proxy:3128."
      : "Let the proxy reach the issuer's host, or name the host in NO_PROXY.",
  ];
}

function* faultsIn({ status, date, metadata }: Answer, now: Date): Generator<Words> {
  const {
    issuer,
    id_token_signing_alg_values_supported: signatures = ["RS256"],
    token_endpoint_auth_methods_supported: methods = ["client_secret_basic"],
  } = metadata;
  if (status !== 200 || typeof issuer !== "string")
    return yield [
      `The address of OIDC_ISSUER does not respond as an issuer does: ${status}`,
      "Set OIDC_ISSUER to the address that its documentation calls issuer, without /.well-known.",
    ];
  const drift = Date.parse(date ?? "") - now.getTime();
  if (Math.abs(drift) > ALLOWED_DRIFT_MS)
    yield [
      `The issuer's clock differs by ${Math.round(drift / 1_000)} s from this machine's`,
      "Set the clock of both, and keep them synchronised (NTP): what the issuer signs would count as not valid yet.",
    ];
  if (!(signatures as unknown[]).some((one) => SIGNED_BY_KEY.test(String(one))))
    yield [
      `The issuer signs in no way that can be verified with its public keys: ${signatures}`,
      "Let it sign with RS256, ES256 or EdDSA.",
    ];
  if (!(methods as unknown[]).some((one) => /^client_secret_(?:basic|post)$/.test(String(one))))
    yield [
      `The issuer takes no client secret: ${methods}`,
      "Let this client name itself by client_secret_basic or client_secret_post.",
    ];
  if (metadata.require_pushed_authorization_requests === true)
    yield [
      "The issuer takes only pushed authorization requests, which this service does not make",
      "Let it take others from this client.",
    ];
}

function whyUnreachable(code: string): [why: string, advice: string] {
  if (NOT_FOUND.test(code)) return ["is not found", "Check its host name, and the name server of this machine (DNS)."];
  if (UNTRUSTED.includes(code))
    return [
      "has a certificate that no known authority has signed",
      "Name its authority's file in NODE_EXTRA_CA_CERTS, in the environment of the service (not in .env).",
    ];
  if (/CERT|TLS|SSL/.test(code))
    return ["has a certificate that is not valid for its name or date", "Correct its certificate, or this clock."];
  return [
    "cannot be reached",
    "Check its address, and the firewall. If the way out leads through a proxy, set HTTPS_PROXY, and NO_PROXY for " +
      "what does not.",
  ];
}
