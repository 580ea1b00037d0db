import { DocsPage, LinkTroubles, titleOf } from "../../guide";
import styles from "../../page.module.css";
import { Example } from "../../samples";

export const metadata = { title: titleOf("/docs/guides/browser") };

export default function BrowserGuide() {
  return (
    <DocsPage path="/docs/guides/browser">
      <p>
        A page on any site can sign its users in here, without a server of its own. Every route allows requests from
        other sites (CORS), and none reads a cookie.
      </p>
      <h2>1. Run the complete page</h2>
      <p>
        Save it, serve its folder, for example with <code>python3 -m http.server 8000</code>, and open{" "}
        <code>http://localhost:8000/link-browser.html</code>.
      </p>
      <Example name="link-browser.html" />
      <p>
        The page imports <a href="/client.mjs">client.mjs</a> from this service, which does the work. It has no
        dependencies, and also runs in Node.js, Deno and Bun. Its types are in <a href="/client.d.mts">client.d.mts</a>.
      </p>
      <h2>2. What your users see</h2>
      <ol className={styles.steps}>
        <li>They press your button, and a window of this service opens. If necessary, they sign in there.</li>
        <li>
          It names your site, as their browser reports it, and what you ask for. They press <b>Sign in</b>, and the
          window closes.
        </li>
        <li>Your page gets the token. It is in no address, and was in no message between the windows.</li>
      </ol>
      <p>
        Call <code>signIn</code> when your button is pressed, and nothing before it in that function that waits: else
        browsers block the window. Then, and if your page is a file or a sandboxed frame, or sends{" "}
        <code>Cross-Origin-Opener-Policy: same-origin</code>, <code>onCode</code> gets six letters to show, which your
        users compare on the link page. If they close the window, they can press your button again: that begins anew.
      </p>
      <p>
        If this service runs on the user's machine or network and your page is on the internet, Chrome and Edge ask the
        user once whether your page may reach it. Until they allow it, the client fails with <code>no_response</code>,
        and its sentence says so.
      </p>
      <h2>3. Keep the token safe</h2>
      <ul className={styles.steps}>
        <li>
          Ask for no more than you need. With the access <code>identity</code>, as above, the token can tell who the
          user is, and nothing else: if a script steals it, keys and files are safe.
        </li>
        <li>
          Keep it in a variable, or in <code>sessionStorage</code> if it must survive a reload. Every script on your
          page can read it there, so load none that you don't trust.
        </li>
        <li>
          Send it in <code>Authorization: Bearer</code>, never in a URL: those end up in logs and histories.
        </li>
        <li>Serve your page over HTTPS.</li>
      </ul>
      <LinkTroubles />
    </DocsPage>
  );
}
