import type { ListedToken } from "@/lib/accounts/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/program";
import { ProgramList } from "./program-list";
import styles from "./program-list.module.css";

/** Further names are shown on request. */
const SHOWN = 5;

interface Props {
  /** The programs that hold the account's token. */
  programs: LinkedProgram[];
  /** The tokens of programs' own. */
  tokens: ListedToken[];
}

/** Which programs stop when the account's token is rotated, and which go on. Nothing if there are none. */
export function RotationEffects({ programs, tokens }: Props) {
  const going = tokens.filter(({ state }) => state !== "ended");
  return (
    <>
      {programs.length > 0 && (
        <>
          <p>These programs lose access until you link them again:</p>
          <ProgramList programs={programs} />
        </>
      )}
      {going.length > 0 && (
        <>
          <p>These have tokens of their own, and keep working:</p>
          <div className={styles.list}>
            <Names tokens={going.slice(0, SHOWN)} />
            {going.length > SHOWN && (
              <details>
                <summary>{`${(going.length - SHOWN).toLocaleString("en")} more`}</summary>
                <Names tokens={going.slice(SHOWN)} />
              </details>
            )}
          </div>
        </>
      )}
    </>
  );
}

function Names({ tokens }: { tokens: ListedToken[] }) {
  return (
    <ul className={styles.programs}>
      {tokens.map(({ id, name }) => (
        <li key={id}>
          <strong translate="no">{name}</strong>
        </li>
      ))}
    </ul>
  );
}
