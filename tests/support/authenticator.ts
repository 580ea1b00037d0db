import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { addPasskey, verifyRegistration } from "@/lib/accounts/ways-in/passkeys/add";
import { type Ceremony, newChallenge } from "@/lib/accounts/ways-in/passkeys/challenge";
import { newId } from "@/lib/platform/ids";

interface Claims {
  origin?: string;
  host?: string;
  counter?: number;
  /** User present 1, user verified 4. */
  flags?: number;
  userHandle?: string;
  format?: string;
}

export class Authenticator {
  readonly id: string;
  readonly #host: string;
  readonly #origin: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  constructor(origin: string, idBytes = 16) {
    this.id = randomBytes(idBytes).toString("base64url");
    this.#origin = origin;
    this.#host = new URL(origin).hostname;
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  create(challenge: string, { format = "none", ...claims }: Claims = {}) {
    const id = Buffer.from(this.id, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.#coseKey()]);
    const data = Buffer.concat([this.#head(0x40 | (claims.flags ?? 5), claims), attested]);
    const statement = format === "none" ? cborMap([]) : cborMap([[cborText("x5c"), Buffer.from([0x80])]]);
    const attestationObject = cborMap([
      [cborText("fmt"), cborText(format)],
      [cborText("attStmt"), statement],
      [cborText("authData"), cborBytes(data)],
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData("webauthn.create", challenge, claims).toString("base64url"),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal"],
    });
  }

  get(challenge: string, claims: Claims = {}) {
    const data = this.#head(claims.flags ?? 5, claims);
    const clientData = this.#clientData("webauthn.get", challenge, claims);
    const signed = Buffer.concat([data, createHash("sha256").update(clientData).digest()]);
    return this.#answer({
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: sign("sha256", signed, this.#privateKey).toString("base64url"),
      userHandle: claims.userHandle && Buffer.from(claims.userHandle).toString("base64url"),
    });
  }

  #answer<Response>(response: Response) {
    return { id: this.id, rawId: this.id, type: "public-key", response };
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Claims): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #head(flags: number, { host = this.#host, counter = 0 }: Claims): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(flags);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash("sha256").update(host).digest(), head]);
  }

  /** ES256 on P-256 (RFC 9053). */
  #coseKey(): Buffer {
    const { x = "", y = "" } = this.#publicKey.export({ format: "jwk" });
    return cborMap([
      [cborInteger(1), cborInteger(2)],
      [cborInteger(3), cborInteger(-7)],
      [cborInteger(-1), cborInteger(1)],
      [cborInteger(-2), cborBytes(Buffer.from(x, "base64url"))],
      [cborInteger(-3), cborBytes(Buffer.from(y, "base64url"))],
    ]);
  }
}

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
const cborInteger = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborMap = (entries: [Buffer, Buffer][]) => Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);

export const party = { id: "localhost", origin: "http://localhost:3000" };

export async function createPasskey(subject: string, purpose: Ceremony["purpose"] = "add", counter = 0) {
  const key = new Authenticator(party.origin);
  const ceremony: Ceremony = { purpose, party, browser: newId(), subject };
  const answer = key.create(newChallenge(ceremony), { counter });
  return { key, passkey: await verifyRegistration(answer, ceremony) };
}

export async function addedPasskey({ id }: { id: string }, counter = 0): Promise<Authenticator> {
  const { key, passkey } = await createPasskey(id, "add", counter);
  await addPasskey(id, passkey);
  return key;
}
