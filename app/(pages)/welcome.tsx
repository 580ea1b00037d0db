import { Button } from "@mantine/core";
import { IconFolders, IconKey, IconPlugConnected, type TablerIcon } from "@tabler/icons-react";
import { LetterPlate } from "@/components/letter-plate";
import { Notice } from "@/components/notice";
import { TryCode } from "./try-code";
import styles from "./welcome.module.css";

const AREAS: { icon: TablerIcon; title: string; text: string; route: string }[] = [
  {
    icon: IconPlugConnected,
    title: "Link",
    text: "A program shows six letters. Its user types them in here, and the program knows who it is.",
    route: "/link/code",
  },
  {
    icon: IconKey,
    title: "Keys",
    text: "Who may use what. Make a key, hand it to people, take it back. One request says whether somebody holds it.",
    route: "/keys/check/ada?key=…",
  },
  {
    icon: IconFolders,
    title: "Files",
    text: "Everything a person has stored, folders and all, in one answer that picks up where a broken download stopped.",
    route: "/read-files",
  },
];

/** The start page for who is not signed in: what this is, for whom, and the way in. */
export function Welcome({ origin, signUpOpen, isDeleted }: { origin: string; signUpOpen: boolean; isDeleted: boolean }) {
  return (
    <>
      {isDeleted && (
        <div className={styles.notice}>
          <Notice kind="done">Your account is deleted, with all that was in it.</Notice>
        </div>
      )}
      <div className={styles.hero}>
        <div className={styles.pitch}>
          <h1 className={styles.title}>The front door for your programs</h1>
          <p className={styles.lead}>
            For people who write programs that other people sign in to: desktop tools, bots, games, browser extensions. Latchkey tells them who is there, what
            they may open, and where their files are.
          </p>
          <div className={styles.ways}>
            {signUpOpen && (
              <Button component="a" href="/signup" size="lg">
                Sign up
              </Button>
            )}
            <Button component="a" href="/signin" size="lg" variant={signUpOpen ? "default" : "filled"}>
              Sign in
            </Button>
          </div>
        </div>
        <LetterPlate letters="KMTRWB" />
      </div>
      <section className={styles.try} aria-labelledby="try">
        <h2 id="try">Try it now, without an account</h2>
        <TryCode origin={origin} />
      </section>
      <ul className={styles.areas}>
        {AREAS.map(({ icon: Icon, title, text, route }) => (
          <li key={title}>
            <Icon size={26} stroke={1.5} aria-hidden />
            <h2>{title}</h2>
            <p>{text}</p>
            <code>{route}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
