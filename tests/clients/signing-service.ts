import { createServer } from "node:http";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { beforeEach } from "vitest";
import { addressOf } from "@/tests/support/place";

/** A key pair of a service, with its public part as /.well-known/jwks.json has it. */
export interface Pair {
  privateKey: CryptoKey;
  jwk: { kid: string; kty: string; crv: string; x: string };
}

async function newPair(kid: string): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair("EdDSA", { extractable: true });
  const { kty = "", crv = "", x = "" } = await exportJWK(publicKey);
  return { privateKey, jwk: { kid, kty, crv, x } };
}

/** Two keys of the service, and one that a stranger gave the name of the first. */
export const [first, next, stranger] = (await Promise.all(["first", "next", "first"].map(newPair))) as [
  Pair,
  Pair,
  Pair,
];

export const header = { alg: "EdDSA", typ: "validator+jwt", kid: "first" };
export const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

interface How {
  by?: Pair;
  typ?: string;
  kid?: string;
}

export const sign = (claims: JWTPayload, { by = first, ...changed }: How = {}) =>
  new SignJWT(claims).setProtectedHeader({ ...header, kid: by.jwk.kid, ...changed }).sign(by.privateKey);

/** What the service of the tests does when it is asked. */
export type Response = { status?: number; body?: object } | "nothing";

/** A service for a file of tests: `respond` says what it does, `requests` has the paths that it was asked for. */
export function serviceOfFile() {
  const service = {
    get address() {
      return address();
    },
    requests: [] as string[],
    respond: (_: URL): Response | Promise<Response> => "nothing",
  };
  const server = createServer(async ({ url = "" }, response) => {
    const at = new URL(url, "http://localhost");
    service.requests.push(at.pathname);
    const found = await service.respond(at);
    if (found === "nothing") return response.destroy();
    const headers = {
      ...{ "Content-Type": "application/json", "Cache-Control": "public, max-age=3600" },
      "Retry-After": "300",
    };
    response.writeHead(found.status ?? 200, headers).end(JSON.stringify(found.body ?? {}));
  });
  const address = addressOf(server);
  beforeEach(() => {
    service.requests = [];
  });
  return service;
}
