import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { waysToConfirm } from "@/lib/accounts/confirm";
import { currentUser, type SignedIn } from "@/lib/accounts/current-user";
import { relyingParty } from "@/lib/accounts/passkeys/relying-party";
import { hasRecentProof } from "@/lib/accounts/sessions";
import { isOperator } from "@/lib/operator/access";
import { pageOrigin } from "../origin";
import { ConfirmFirst } from "./confirm-first";
import styles from "./console.module.css";
import { SECTIONS, type Section } from "./sections";

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
    return <ConfirmFirst ways={await waysToConfirm(user, relyingParty(await pageOrigin()))} />;
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
