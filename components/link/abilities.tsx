import { IconCheck, IconX } from "@/components/icons";
import type { Access } from "@/lib/platform/access";
import styles from "./abilities.module.css";

interface Abilities {
  summary: string;
  can: string[];
  cannot: string[];
}

const ABILITIES: Record<Access, Abilities> = {
  everything: {
    summary: "It can act on your behalf, and do almost everything you can:",
    can: ["Read all your files", "View, change and delete your keys", "Create keys and add holders in your name"],
    cannot: ["It can't change your password or delete your account"],
  },
  read: {
    summary: "It can read, and change nothing:",
    can: [
      "Read all your files",
      "View your keys, with their data",
      "See your name, your role and how much you've stored",
    ],
    cannot: ["It can't create, change or delete anything"],
  },
  identity: {
    summary: "It learns who you are, and nothing more:",
    can: ["See your name and your role"],
    cannot: ["It can't see your keys or your files", "It can't change anything"],
  },
};

/** What a program with this access will be able to do, and what not. */
export function AbilitiesOf({ access }: { access: Access }) {
  const { summary, can, cannot } = ABILITIES[access];
  return (
    <>
      <p>{summary}</p>
      <ul className={styles.list}>
        {can.map((text) => (
          <li key={text}>
            <IconCheck size={16} className={styles.can} />
            <span>{text}</span>
          </li>
        ))}
        {cannot.map((text) => (
          <li key={text}>
            <IconX size={16} className={styles.cannot} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
