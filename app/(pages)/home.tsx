import { IconChevronRight } from "@tabler/icons-react";
import { seenOf } from "@/components/files/entry-count";
import { readableBytes } from "@/components/readable-bytes";
import { When } from "@/components/when";
import type { LinkedProgram } from "@/lib/link/programs";
import styles from "./home.module.css";

interface Overview {
  username: string;
  createdAt: string;
  keys: number;
  files: { entries: number; bytes: number };
}

const STEPS = [
  { href: "/link", title: "Link a program", text: "It shows you six letters. Type them in, and it knows you." },
  { href: "/keys", title: "Look after your keys", text: "Make them, hand them to people, take them back." },
  { href: "/files", title: "Put your files in", text: "Drop them here once, and your programs read them all in one request." },
  { href: "/account", title: "See your token", text: "For programs that ask for it. Rotate it to shut them all out." },
];

/** The start page for who is signed in: what this person has, and what to do next. */
export function Home({ overview: { username, createdAt, keys, files }, lastLinked }: { overview: Overview; lastLinked?: LinkedProgram }) {
  return (
    <div className={styles.page}>
      <h1>Hello, {username}</h1>
      <dl className={styles.facts}>
        <div>
          <dt>Keys you hold</dt>
          <dd>{keys.toLocaleString("en")}</dd>
        </div>
        <div>
          <dt>Files and folders</dt>
          <dd>
            {seenOf(files.entries).toLocaleString("en")} {seenOf(files.entries) > 0 && <small>{readableBytes(files.bytes)}</small>}
          </dd>
        </div>
        <div>
          <dt>Last linked program</dt>
          <dd>
            {lastLinked ? lastLinked.program || "One that does not say what it is" : "None"}{" "}
            {lastLinked && (
              <small>
                <When at={new Date(lastLinked.linkedAt)} />
              </small>
            )}
          </dd>
        </div>
        <div>
          <dt>Here since</dt>
          <dd>
            <When at={new Date(createdAt)} />
          </dd>
        </div>
      </dl>
      <ul className={styles.steps}>
        {STEPS.map(({ href, title, text }) => (
          <li key={href}>
            <a href={href}>
              <span>
                <strong>{title}</strong>
                {text}
              </span>
              <IconChevronRight size={20} stroke={1.75} aria-hidden />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
