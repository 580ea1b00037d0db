import { CommandLine } from "@/components/copy-button";
import { durationInWords, VALIDATOR_SECONDS } from "@/lib/platform/bounds";
import { pageOrigin } from "../../../visitor";
import { DocsPage, titleOf } from "../../guide";
import styles from "../../page.module.css";
import { Example, RouteSamples } from "../../samples";

export const metadata = { title: titleOf("/docs/guides/who-is-playing") };

export default async function WhoIsPlayingGuide() {
  const origin = await pageOrigin();
  const files = `${origin}/docs/examples`;
  return (
    <DocsPage path="/docs/guides/who-is-playing">
      <p>
        A player joins your game server. The server needs to know who it is, but must not get the player's token. So the
        game sends a validator: a signed text that says who the player is, to this server only, for{" "}
        {durationInWords(VALIDATOR_SECONDS)}.
      </p>
      <h2>1. Start the server</h2>
      <p>
        It calls itself <code>play.example.org</code>, the audience of the validators. It fetches the service's public
        keys, and then verifies validators without further requests.
      </p>
      <CommandLine command={`curl -O ${origin}/client.mjs -O ${files}/game-server.mjs -O ${files}/play.mjs`} />
      <CommandLine command={`node game-server.mjs ${origin} play.example.org 4000`} />
      <Example name="game-server.mjs" />
      <h2>2. Join it</h2>
      <p>
        <code>TOKEN</code> is the player's, which the game gets when it <a href="/docs/guides/desktop">signs them in</a>{" "}
        with <code>access=identity</code> and <code>audience=play.example.org</code>. It never leaves the game.
      </p>
      <p>
        The player reads that the game can prove to <code>play.example.org</code> that it's them, and the token proves
        it to no other server. Without <code>audience</code>, a web page's token proves it to the page's own origin and
        host, another program's to a server with the program's name.
      </p>
      <CommandLine command={`TOKEN=lk_… node play.mjs ${origin} play.example.org http://localhost:4000`} />
      <Example name="play.mjs" />
      <h2>Good to know</h2>
      <ul className={styles.steps}>
        <li>
          Store the <code>id</code>: it never changes. The username can.
        </li>
        <li>
          A validator can be used repeatedly until it expires. A server that must not accept one twice remembers its{" "}
          <code>jti</code>.
        </li>
        <li>
          <code>azp</code> says who made the validator: the origin of a web page whose window the user signed in with,
          or a name, which any program can choose. Without it, that was the account's token.
        </li>
        <li>
          <p>
            Verified offline, an account that was disabled a moment ago still counts. To learn of that, ask the service:
          </p>
          <RouteSamples path="/validate" />
        </li>
        <li>
          The Python client has the same calls, <code>validator()</code> and <code>who_is()</code>. Any library for JSON
          Web Tokens (EdDSA) can verify a validator, too: check <code>iss</code>, <code>aud</code>, <code>exp</code> and
          the type <code>validator+jwt</code>.
        </li>
      </ul>
    </DocsPage>
  );
}
