import type { ReactNode } from "react";
import { LinkButton } from "@/components/buttons";
import { ColoredCode } from "@/components/code";
import { CommandLine } from "@/components/copy-button";
import { Notice } from "@/components/feedback";
import styles from "./start.module.css";
import { TryCode } from "./try-code";

/** To paste one line and to press one button. */
const START_SECONDS = 60;

/** A module of a page: every service serves its client to any origin. */
const program = (origin: string) => `import { Latchkey } from "${origin}/client.mjs";
const latchkey = new Latchkey("${origin}");
await latchkey.link({
  access: "identity",
  onCode: ({ code, url }) => console.log(code, url),
});
const { username } = await latchkey.me();
console.log("Hello,", username);`;

const AREAS: { title: string; text: ReactNode; route: string }[] = [
  {
    title: "Link",
    text: "Your app shows six letters. The user enters them here, and your app gets their token.",
    route: "/link/code",
  },
  {
    title: "Keys",
    text: "Create a key, give it to people, revoke it later. One request tells you whether someone holds it.",
    route: "/keys/check/ada?key=…",
  },
  {
    title: "Files",
    text: "Everything a user has stored, folders included, in one response. Interrupted downloads can be resumed.",
    route: "/read-files",
  },
];

const CLAIMS = [
  { figure: "0", text: "trackers, and no requests to third parties" },
  { figure: "1.5 s", text: "until you read this page, at 50 KB/s" },
  { figure: "1 line", text: "to run it: npm ci && npm start. The database is built in." },
];

/** The start page for signed-out visitors: what this is, for whom, and how to start. */
export function Welcome({ origin, isDeleted }: { origin: string; isDeleted: boolean }) {
  return (
    <div className={styles.page}>
      {isDeleted && <Notice kind="done">Your account and everything in it have been deleted.</Notice>}
      <div className={styles.hero}>
        <div className={styles.pitch}>
          <h1 className={styles.title}>The front door for your programs</h1>
          <p className={styles.lead}>
            Sign-in, licence keys and files for apps without a server. Your app shows six letters; the user confirms
            them in a browser.
          </p>
          <div className={styles.ways}>
            <LinkButton href="/docs" size="lg">
              Read the docs
            </LinkButton>
            <LinkButton href="/link" size="lg" variant="default">
              Enter a code
            </LinkButton>
          </div>
        </div>
        <TryCode />
      </div>
      <section className={styles.start} aria-labelledby="start">
        <div className={styles.pitch}>
          <h2 id="start">{`Start in ${START_SECONDS} seconds`}</h2>
          <p>In a web page, eight lines sign a user in. In a terminal, run the finished program with Node.js:</p>
          <CommandLine
            command={`curl -O ${origin}/client.mjs -O ${origin}/docs/examples/link-node.mjs && node link-node.mjs`}
          />
          <p>
            Or read how it works from <a href="/docs/guides/command-line">the command line</a>,{" "}
            <a href="/docs/guides/desktop">a desktop app</a> or <a href="/docs/guides/browser">a browser page</a>.
          </p>
        </div>
        <ColoredCode text={program(origin)} language="javascript" className={styles.program} />
      </section>
      <ul className={styles.three}>
        {AREAS.map(({ title, text, route }) => (
          <li key={title}>
            <h2>{title}</h2>
            <p>{text}</p>
            <code translate="no">{route}</code>
          </li>
        ))}
      </ul>
      <ul className={styles.three}>
        {CLAIMS.map(({ figure, text }) => (
          <li key={figure}>
            <strong>{figure}</strong>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
