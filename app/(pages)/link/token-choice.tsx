import { Choices } from "@/components/checkbox";
import { IconCheck, IconX } from "@/components/icons";
import { ACCESS_WORDS, ENDS } from "@/components/words";
import type { ShownAudience, TokenChoice } from "@/lib/link/program";
import { ACCESSES, type Access, covers } from "@/lib/platform/access";
import styles from "./page.module.css";

interface Abilities {
  summary: string;
  can: string[];
  cannot: string[];
}

const ABILITIES: Record<Access, Abilities> = {
  everything: {
    summary: "It can do almost everything you can.",
    can: ["Read all your files", "View, change and delete your keys", "Create keys and add holders in your name"],
    cannot: ["It can't change your password or delete your account"],
  },
  read: {
    summary: "It can read your keys and files, and change nothing.",
    can: [
      "Read all your files",
      "View your keys, with their data",
      "See your name, your role and how much you've stored",
    ],
    cannot: ["It can't create, change or delete anything"],
  },
  identity: {
    summary: "It learns who you are.",
    can: ["See your name and your role"],
    cannot: ["It can't see your keys or your files", "It can't change anything"],
  },
};

type Audience = ShownAudience | null;

/** What a program with this access will be able to do, and what not. */
function AbilitiesOf({ access, audience }: { access: Access; audience: Audience }) {
  const { can, cannot } = ABILITIES[access];
  return (
    <ul className={styles.list}>
      {can.map((text) => (
        <li key={text}>
          <IconCheck size={16} className={styles.can} />
          <span>{text}</span>
        </li>
      ))}
      {access === "everything" && (
        <li data-gives="account">
          <IconCheck size={16} className={styles.can} />
          <span>Prove to any server that it's you</span>
        </li>
      )}
      {audience && (
        <li data-gives={access}>
          <IconCheck size={16} className={styles.can} />
          <span>
            Prove to <bdi translate="no">{audience.text}</bdi> that it's you
          </span>
        </li>
      )}
      {cannot.map((text) => (
        <li key={text}>
          <IconX size={16} className="soft" />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** What the program can prove with the selected token. It is not hidden in the details: it signs in elsewhere. */
function ProofOf({ audience }: { audience: Audience }) {
  return (
    <>
      <span data-gives="account">It can prove to any server that it's you. </span>
      {audience && (
        <span data-gives="everything read identity">
          It can prove to <bdi translate="no">{audience.text}</bdi> that it's you.{" "}
        </span>
      )}
    </>
  );
}

interface Props {
  /** What the program requested, which can only be narrowed; null: nothing. */
  access: Access | null;
  proposed: TokenChoice;
  /** To whom a token of its own proves who its user is; null: to nobody. */
  audience: Audience;
}

/** From the most to the least. */
const MAX_FIRST = ACCESSES.toReversed();

/**
 * The fields for the token that the program gets, and in words what is selected. The style sheet shows the words of the
 * selected choice, so they are right before the page's script has loaded, too.
 */
export function TokenChoiceFields({ access: requested, proposed, audience }: Props) {
  const initial = proposed === "account" ? "account" : proposed.access;
  const offered = MAX_FIRST.filter((access) => requested === null || covers(requested, access));
  return (
    <details className={styles.choice}>
      <summary>
        {offered.map((access) => (
          <span key={access} data-gives={givenWith(access)}>{`${ABILITIES[access].summary} `}</span>
        ))}
        <ProofOf audience={audience} />
        <span data-gives="everything read identity">
          {ENDS.filter(({ value }) => value !== "never").map(({ value, label }) => (
            <span key={value} data-ends={value}>{`It expires ${label.toLowerCase()}. `}</span>
          ))}
        </span>
        <span className={styles.link}>Details</span>
      </summary>
      <div className={styles.fields}>
        {offered.map((access) => (
          <div key={access} data-gives={givenWith(access)}>
            <AbilitiesOf access={access} audience={audience} />
          </div>
        ))}
        <p>
          {requested === null && (
            <span data-gives="account">It gets your account's token, which other programs may share.</span>
          )}
          {offered.map((access) => (
            <span key={access} data-gives={access}>{`It gets a token of its own ${OWN_TOKEN[access]}.`}</span>
          ))}
        </p>
        <Choices
          name="gives"
          legend="What it may do"
          initial={initial}
          choices={[
            ...(requested === null
              ? [
                  {
                    value: "account",
                    label: "Everything, with your account's token",
                    description: "To stop it later, you have to stop every program that has this token.",
                  },
                ]
              : []),
            ...offered.map((access) => ({
              value: access,
              label: access === "everything" ? "Everything, with a token of its own" : ACCESS_WORDS[access],
              ...(access === "everything" && { description: "You can later stop it alone." }),
            })),
          ]}
        />
        <div data-gives="everything read identity">
          <Choices name="ends" legend="Expires" initial="never" choices={ENDS} inline />
        </div>
      </div>
    </details>
  );
}

/** The choices that give this access. */
const givenWith = (access: Access) => (access === "everything" ? "account everything" : access);

const OWN_TOKEN: Record<Access, string> = {
  everything: "that can do everything",
  read: "that can only read",
  identity: "that only says who you are",
};
