import { When } from "@/components/content/time";
import { readableBytes } from "@/components/content/words";
import { IconChevronRight } from "@/components/frame/icons";
import type { LinkedProgram } from "@/lib/link/program";
import { seenOf } from "@/lib/platform/bounds";
import styles from "./home.module.css";

interface Overview {
  username: string;
  createdAt: string;
  keys: number;
  files: { entries: number; bytes: number };
}

const STEPS = [
  { href: "/link", title: "Link a program", text: "It shows you six letters. Enter them to give it access." },
  { href: "/keys", title: "Manage your keys", text: "Create keys, give them to people, revoke them." },
  {
    href: "/files",
    title: "Upload your files",
    text: "Upload them once; linked programs can read them all in one request.",
  },
  {
    href: "/account",
    title: "Manage programs and tokens",
    text: "See which programs can act for you, and stop them.",
  },
];

/** The start page for a signed-in user: what this user has, and what to do next. */
export function Home({
  overview: { username, createdAt, keys, files },
  lastLinked,
}: {
  overview: Overview;
  lastLinked: Pick<LinkedProgram, "program" | "linkedAt"> | null;
}) {
  return (
    <div className={styles.page}>
      <h1>{`Hello, ${username}`}</h1>
      <dl className={`${styles.facts} figures`}>
        <div>
          <dt>Keys you hold</dt>
          <dd>{keys.toLocaleString("en")}</dd>
        </div>
        <div>
          <dt>Files and folders</dt>
          <dd>
            <span>{seenOf(files.entries).toLocaleString("en")}</span>{" "}
            {seenOf(files.entries) > 0 && <small>{readableBytes(files.bytes)}</small>}
          </dd>
        </div>
        <div>
          <dt>Last linked program</dt>
          <dd>
            <span>{lastLinked ? lastLinked.program || "Unnamed program" : "None"}</span>{" "}
            {lastLinked && (
              <small>
                <When at={new Date(lastLinked.linkedAt)} />
              </small>
            )}
          </dd>
        </div>
        <div>
          <dt>Member since</dt>
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
                <span>{text}</span>
              </span>
              <IconChevronRight size={20} stroke={1.75} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
