import { CommandLine } from "@/components/copy-button";
import { durationInWords } from "@/lib/platform/bounds";
import { env } from "@/lib/platform/env";
import { DAY_MS } from "@/lib/platform/time";
import { pageOrigin } from "../../../visitor";
import { DocsPage, titleOf } from "../../guide";
import styles from "../../page.module.css";
import { Example } from "../../samples";

export const metadata = { title: titleOf("/docs/guides/offline-licence") };

export default async function OfflineLicenceGuide() {
  const origin = await pageOrigin();
  const days = durationInWords((env.PROOF_DAYS * DAY_MS) / 1_000);
  return (
    <DocsPage path="/docs/guides/offline-licence">
      <p>
        Your program checks whether its user holds <a href="/docs/guides/keys">a key</a>. Without a network, it uses the
        last response, which the service signed. By the end of this page, a licence will work offline for {days}.
      </p>
      <h2>1. Run the complete program</h2>
      <p>
        <code>KEY</code> is the id of a key that bob holds. <code>jwks.json</code> has the service's public keys: ship
        it with your program, and never fetch it at run time. Run the last line again without a network.
      </p>
      <CommandLine command={`curl -O ${origin}/client.mjs -O ${origin}/docs/examples/offline-licence.mjs`} />
      <CommandLine command={`curl -o jwks.json ${origin}/.well-known/jwks.json`} />
      <CommandLine command={`node offline-licence.mjs ${origin} bob "$KEY"`} />
      <Example name="offline-licence.mjs" />
      <h2>2. Understand what it does</h2>
      <ul className={styles.steps}>
        <li>
          <p>
            <strong>It asks with a random number.</strong> The response has a <code>proof</code>, a signed text with the
            same number, so nobody can replay an earlier one.
          </p>
          <CommandLine command={`curl "${origin}/keys/check/bob?key=$KEY&sign=$RANDOM"`} />
        </li>
        <li>
          <strong>It believes only the keys that it was shipped with.</strong> A false server can't grant anything: the
          client fails with <code>bad_proof</code>.
        </li>
        <li>
          <strong>It stores the proof.</strong> If the service can't be reached, the stored proof counts until it
          expires. A refusal by the service always counts more than what is stored.
        </li>
        <li>
          <strong>It works by a clock that is wrong,</strong> if that goes on as it was when the service responded. One
          that was set back to before that, it notices.
        </li>
      </ul>
      <h2>Good to know</h2>
      <ul className={styles.steps}>
        <li>
          Offline, a program doesn't learn that access was revoked. It does when it is next online, or when the proof
          expires.
        </li>
        <li>If access ends sooner, so does the proof.</li>
        <li>
          When the operator rotates the signing key, a program learns the new one from the next proof. Give your next
          version the current <code>jwks.json</code>: once the operator retires the former key, a program that was never
          online in between fails with <code>bad_proof</code>.
        </li>
        <li>
          The Python client has the same check: <code>keys.check(username, key, offline=True)</code>. Any library for
          JSON Web Tokens (EdDSA) can verify the proof, too.
        </li>
      </ul>
    </DocsPage>
  );
}
