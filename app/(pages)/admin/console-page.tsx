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
import { pageOrigin } from "../visitor";
import { ConfirmFirst } from "./confirm-first";
import styles from "./console.module.css";
import { ADMIN_CALL } from "./same-command";

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

interface ConsolePage {
  section: Section;
  /** The heading. */
  title: string;
  /** The contents, for an administrator with a recent proof. */
  show: (admin: SignedIn) => Promise<ReactNode>;
}

/**
 * A page of the console: navigation, heading and contents for an administrator who proved who they are less than ten
 * minutes ago; for one who did not, the question to do so; for everybody else, the page for unknown addresses. Nothing
 * is read from the database before that is clear.
 */
export async function consolePage({ section, title, show }: ConsolePage): Promise<ReactNode> {
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
        <h1>{title}</h1>
        {await show(user)}
      </div>
    </div>
  );
}

/** The title of a page of the console; of the page for unknown addresses, for whom the console does not exist. */
export async function consoleTitle(title: string): Promise<Metadata> {
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

interface View {
  href: string;
  words: string;
  /** How much it has. */
  count?: number;
  isShown: boolean;
}

/** Links to the views of the same thing, one of which is shown. */
export function Views({ label, views }: { label: string; views: View[] }) {
  return (
    <nav className={styles.views} aria-label={label}>
      {views.map(({ href, words, count, isShown }) => (
        <a key={href} href={href} aria-current={isShown ? "page" : undefined}>
          <span>{words}</span>
          {count !== undefined && <span>{` ${count.toLocaleString("en")}`}</span>}
        </a>
      ))}
    </nav>
  );
}
