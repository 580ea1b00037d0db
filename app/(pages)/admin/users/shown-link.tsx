import { When } from "@/components/content/time";
import { CopyButton } from "@/components/controls/copy-button";
import styles from "./users.module.css";

/** A link that was just created. */
export interface NewLink {
  link: string;
  expiresAt: Date;
}

/** The link, which is shown only now. */
export function ShownLink({ link: { link, expiresAt } }: { link: NewLink }) {
  return (
    <div className={styles.shown} role="status">
      <code translate="no">{link}</code>
      <CopyButton text={link} label="Copy link" isMain />
      <p className={styles.soft}>
        It is shown only once, and works until <When at={expiresAt} precise />.
      </p>
    </div>
  );
}
