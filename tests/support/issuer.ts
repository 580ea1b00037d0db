import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { listening } from "@/tests/support/place";

export interface Issuer {
  url: string;
  /** The user signed in there: the `sub` of the next identity it vouches for. */
  subject: string;
  /** The error with which it sends everybody back, as it does somebody who cancels; null: it vouches for them. */
  refusal: string | null;
  delay: number;
  /** How it signs ID tokens, and what its metadata says of that. */
  alg: string;
  supported: string[];
  /** What else its metadata says. */
  metadata: object;
  stop(): void;
}

/**
 * An OpenID Connect provider that immediately vouches for the user in `subject` (authorization code flow with PKCE and
 * nonce).
 */
export async function startIssuer(clientId: string): Promise<Issuer> {
  const keys = new Map<string, CryptoKeyPair>();
  const keysFor = async (alg: string) => {
    const pair = keys.get(alg) ?? (await generateKeyPair(alg, { extractable: true }));
    keys.set(alg, pair);
    return pair;
  };
  const granted = new Map<string, { nonce: string | null; challenge: string | null; subject: string }>();
  const issuer: Issuer = {
    ...{ url: "", subject: "somebody", refusal: null, delay: 0, alg: "RS256", supported: ["RS256"], metadata: {} },
    stop: () => server.close(),
  };

  const idToken = async (subject: string, nonce: string | null) => {
    const { alg } = issuer;
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer.url, sub: subject, aud: clientId, iat: now, exp: now + 300, nonce };
    return new SignJWT(claims).setProtectedHeader({ alg, kid: alg }).sign((await keysFor(alg)).privateKey);
  };

  const answers: Record<string, (address: URL, body: URLSearchParams) => unknown> = {
    "/.well-known/openid-configuration": () => ({
      issuer: issuer.url,
      authorization_endpoint: `${issuer.url}/authorize`,
      token_endpoint: `${issuer.url}/token`,
      jwks_uri: `${issuer.url}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: issuer.supported,
      ...issuer.metadata,
    }),
    "/keys": async () => ({
      keys: await Promise.all(
        [...keys].map(async ([alg, { publicKey }]) => ({ ...(await exportJWK(publicKey)), kid: alg, use: "sig", alg })),
      ),
    }),
    "/token": async (_, body) => {
      const grant = granted.get(body.get("code") ?? "");
      const challenge = createHash("sha256")
        .update(body.get("code_verifier") ?? "")
        .digest("base64url");
      if (!grant || grant.challenge !== challenge) return { error: "invalid_grant" };
      return { access_token: "unused", token_type: "Bearer", id_token: await idToken(grant.subject, grant.nonce) };
    },
  };

  const server = createServer(async (request, response) => {
    const address = new URL(request.url ?? "/", issuer.url);
    if (address.pathname === "/authorize") {
      const back = new URL(address.searchParams.get("redirect_uri") ?? "");
      const state = address.searchParams.get("state") ?? "";
      const code = randomBytes(16).toString("hex");
      granted.set(code, {
        nonce: address.searchParams.get("nonce"),
        challenge: address.searchParams.get("code_challenge"),
        subject: issuer.subject,
      });
      back.search = new URLSearchParams(issuer.refusal ? { error: issuer.refusal, state } : { code, state }).toString();
      response.writeHead(302, { Location: back.href }).end();
      return;
    }
    await sleep(issuer.delay);
    const answer = await answers[address.pathname]?.(address, new URLSearchParams(await bodyOf(request)));
    response.writeHead(answer ? 200 : 404, { "Content-Type": "application/json" }).end(JSON.stringify(answer ?? {}));
  });
  issuer.url = `http://127.0.0.1:${await listening(server)}`;
  return issuer;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}
