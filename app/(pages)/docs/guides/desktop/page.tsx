import { DocsPage, LinkTroubles, titleOf } from "../../guide";
import styles from "../../page.module.css";
import { Example, RouteSamples } from "../../samples";

export const metadata = { title: titleOf("/docs/guides/desktop") };

export default function DesktopGuide() {
  return (
    <DocsPage path="/docs/guides/desktop">
      <p>
        The app opens the user's browser, where they are usually signed in already. They compare six letters and press
        one button. The next time it starts, the app is still signed in.
      </p>
      <h2>1. Run the complete program</h2>
      <p>
        Save it next to{" "}
        <a href="/client.mjs" download>
          client.mjs
        </a>{" "}
        and run it twice with Node.js: the second time, it asks nothing. Every request is a plain <code>GET</code>, so
        the same works in C#, C++, Lua or GDScript.
      </p>
      <Example name="desktop.mjs" />
      <h2>2. Add it to your app</h2>
      <ol className={styles.steps}>
        <li>
          <strong>Show the letters in your window</strong> while the browser is open, with a button to cancel. On a
          console or a TV, show the URL as a QR code, so that the user can confirm on a phone.
        </li>
        <li>
          <strong>Keep the token</strong> in the system's keychain: Keychain, Credential Manager or Secret Service. If
          you must use a file, make it readable by its user only.
        </li>
        <li>
          <strong>Check whose token it is at each start.</strong> A 401 means that the user has revoked access: forget
          the token and link again. If there is no network, start anyway and check later.
          <RouteSamples path="/me" />
        </li>
        <li>
          <strong>Ask for no more than you need.</strong> With the access <code>identity</code>, the token can tell who
          the user is, and nothing else: if it leaks, keys and files are safe. Ask for <code>read</code> to read them.
        </li>
        <li>
          <strong>Offer to sign out</strong>: delete the stored token. Users can also revoke your program's access on
          their account page. No other program is affected, because each has a token of its own.
        </li>
      </ol>
      <LinkTroubles />
    </DocsPage>
  );
}
