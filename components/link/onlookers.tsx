import type { KnownOnlookers as Known } from "@/lib/link/view";
import { networkName } from "./whereabouts";

/** Who else knew the code, for its approver. Nothing if nobody did. */
export function Onlookers({ onlookers: { people, accounts, networks } }: { onlookers: Known }) {
  if (people + networks === 0) return null;
  return (
    <details>
      <summary>
        {[people > 0 && peopleWords(people), networks > 0 && networkWords(networks)].filter(Boolean).join(" ")}
      </summary>
      <p>They can't collect your token unless you allow it. If the program isn't yours, revoke its access.</p>
      {accounts.length > 0 && (
        <ul>
          {accounts.map(({ username, network }) => (
            <li key={username}>
              <strong translate="no">{username}</strong>, from <span translate="no">{networkName(network)}</span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

const peopleWords = (count: number) =>
  count === 1 ? "1 other person has entered this code." : `${count} other people have entered this code.`;

const networkWords = (count: number) =>
  count === 1
    ? "A program on 1 other network has asked for this token."
    : `Programs on ${count} other networks have asked for this token.`;
