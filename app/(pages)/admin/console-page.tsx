import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { Button } from "@/components/buttons";
import { CommandLine } from "@/components/copy-button";
import { MessagePage } from "@/components/page";
import { relyingParty } from "@/lib/accounts/identity/relying-party";
import { currentUser, type SignedIn } from "@/lib/accounts/session/current-user";
import { hasRecentProof } from "@/lib/accounts/session/proof";
import { confirmationMethods } from "@/lib/accounts/ways-in/confirm";
import { isOperator } from "@/lib/operator/access";
import type { SearchParams } from "../next-path";
import { pageOrigin, textsIn } from "../visitor";
import { ConfirmFirst } from "./confirm-first";
import styles from "./console.module.css";

/** The pages of the console, in the order of its navigation. */
const SECTIONS = [
  { href: "/admin", name: "Overview" },
  { href: "/admin/users", name: "Users" },
  { href: "/admin/keys", name: "Keys" },
  { href: "/admin/links", name: "Links" },
  { href: "/admin/audit", name: "Audit" },
  { href: "/admin/settings", name: "Settings" },
] as const;

type Section = (typeof SECTIONS)[number]["name"];

/** The query of an address of the console. */
export type Query = Record<string, string>;

/**
 * A page of the console: navigation, heading and what `show` has for an administrator who proved who they are less than
 * ten minutes ago; for one who did not, the question to do so; for everybody else, the page for unknown addresses.
 * Nothing is read from the database before that is clear.
 */
export function consolePage(section: Section, show: (query: Query, admin: SignedIn) => Promise<ReactNode>) {
  return async ({ searchParams }: { searchParams: SearchParams }) => {
    const user = await currentUser();
    if (!user || !isOperator(user)) notFound();
    if (!(await hasRecentProof(user)))
      return <ConfirmFirst methods={await confirmationMethods(user, relyingParty(await pageOrigin()))} />;
    return (
      <div className={styles.console}>
        <nav className={styles.sections} aria-label="Console">
          {SECTIONS.map(({ href, name }) => (
            <a key={href} href={href} aria-current={name === section ? "page" : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <div className={styles.page}>
          <h1>{section}</h1>
          {await show(textsIn(await searchParams), user)}
        </div>
      </div>
    );
  };
}

/** The title of a page of the console; of the page for unknown addresses, for whom the console does not exist. */
export async function consoleTitle(title: Section): Promise<Metadata> {
  const user = await currentUser();
  return { title: user && isOperator(user) ? title : "Page not found" };
}

interface OneHeadProps {
  /** The list that it is from. */
  list: { href: string; words: string };
  name: ReactNode;
  children: ReactNode;
}

/** The head of a page about one of a list: the way back, its name, and what is known of it. */
export function OneHead({ list, name, children }: OneHeadProps) {
  return (
    <div className={styles.head}>
      <a href={list.href}>{list.words}</a>
      <h2>{name}</h2>
      {children}
    </div>
  );
}

interface FilterFormProps {
  /** The page with the list. */
  page: string;
  /** Only some of the list is shown. */
  isFiltered: boolean;
  /** Small fields with labels. */
  children: ReactNode;
}

/** The filter of a list. The address has it, so that it works without scripts, and can be kept and sent to somebody. */
export function FilterForm({ page, isFiltered, children }: FilterFormProps) {
  return (
    <search>
      <form action={page} className={styles.filter}>
        {children}
        <div className={styles.find}>
          <Button type="submit" size="sm" variant="default">
            Find
          </Button>
          {isFiltered && <a href={page}>Clear</a>}
        </div>
      </form>
    </search>
  );
}

/** How the admin command is called. */
const ADMIN_CALL = "./latchkey";

/** A word for a shell, in quotes if it needs them. */
export function shellWord(word: string): string {
  return /^[\w.:/@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The admin commands that do the same as a page, such as `user:disable alice`. Belongs at its end, once. */
export function SameCommand({ commands }: { commands: string[] }) {
  return (
    <details className={styles.same}>
      <summary>Do this from a terminal</summary>
      <div className={styles.commands}>
        {commands.map((command) => (
          <CommandLine key={command} command={`${ADMIN_CALL} ${command}`} />
        ))}
      </div>
    </details>
  );
}

/** For a signed-in user of a service that nobody administers yet. It says nothing that is not in the documentation. */
export function FirstAdmin({ username }: { username: string }) {
  return (
    <MessagePage
      title="No administrator yet"
      text="Run this command on the machine of the service to create the first one, then reload this page."
    >
      <CommandLine command={`${ADMIN_CALL} user:role ${username} admin`} />
    </MessagePage>
  );
}
