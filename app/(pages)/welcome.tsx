import { LinkButton } from "@/components/controls/button";
import { Notice } from "@/components/feedback/notice";
import { CodeDisplay } from "@/components/frame/code-display";
import { type Icon, IconFolders, IconKey, IconPlugConnected } from "@/components/frame/icons";
import { TryCode } from "./try-code";
import styles from "./welcome.module.css";

const AREAS: { icon: Icon; title: string; text: string; route: string }[] = [
  {
    icon: IconPlugConnected,
    title: "Link",
    text: "Your app shows six letters. The user enters them here, and your app gets their token.",
    route: "/link/code",
  },
  {
    icon: IconKey,
    title: "Keys",
    text:
      "Control who can use what. Create a key, give it to people, revoke it later. " +
      "One request tells you whether someone holds it.",
    route: "/keys/check/ada?key=…",
  },
  {
    icon: IconFolders,
    title: "Files",
    text: "Everything a user has stored, folders included, in one response. Interrupted downloads can be resumed.",
    route: "/read-files",
  },
];

/** The start page for signed-out visitors: what this is, for whom, and how to start. */
export function Welcome({ origin, isDeleted }: { origin: string; isDeleted: boolean }) {
  return (
    <>
      {isDeleted && (
        <div className={styles.notice}>
          <Notice kind="done">Your account and everything in it have been deleted.</Notice>
        </div>
      )}
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
        <CodeDisplay code="KMTRWB" />
      </div>
      <section className={styles.try} aria-labelledby="try">
        <h2 id="try">Try it without an account</h2>
        <TryCode origin={origin} />
      </section>
      <ul className={styles.areas}>
        {AREAS.map(({ icon: Icon, title, text, route }) => (
          <li key={title}>
            <Icon size={26} stroke={1.5} />
            <h2>{title}</h2>
            <p>{text}</p>
            <code translate="no">{route}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
