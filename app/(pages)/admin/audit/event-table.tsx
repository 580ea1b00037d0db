import { DataTable } from "@/components/data-table";
import { eventWords } from "@/components/event-words";
import table from "@/components/keys/table.module.css";
import { When } from "@/components/when";
import type { NamedEvent } from "@/lib/operator/audit/search";
import { describeProgram } from "@/lib/platform/user-agent";
import styles from "./audit.module.css";

/** Events, newest first: a sentence for each, and beneath it what is stored. */
export function EventTable({ events }: { events: NamedEvent[] }) {
  return (
    <DataTable className={`${table.table} ${styles.events}`} aria-label="Events, newest first">
      <thead>
        <tr>
          <th>When</th>
          <th>Who</th>
          <th>What</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id}>
            <td className={styles.when}>
              <When at={event.at} precise />
            </td>
            <td className={styles.who}>
              <Actor {...event} />
            </td>
            <td className={styles.what}>
              <details>
                <summary>
                  <span>
                    {eventWords({ ...event, browser: describeProgram(event.detail.program ?? "") }, "The account")}
                  </span>
                  {event.subject !== null && event.subjectId !== event.actorId && <Subject name={event.subject} />}
                </summary>
                <Stored event={event} />
              </details>
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function Actor({ actor, actorId }: NamedEvent) {
  if (actorId === null) return <span className={styles.soft}>Nobody</span>;
  if (actor === null)
    return (
      <a href={`/admin/audit?who=${actorId}`} className={styles.soft}>
        A deleted account
      </a>
    );
  return <a href={`/admin/audit?who=${encodeURIComponent(actor)}`}>{actor}</a>;
}

function Subject({ name }: { name: string }) {
  return (
    <span>
      {" "}
      (<bdi translate="no">{name}</bdi>)
    </span>
  );
}

function Stored({ event: { id, action, subjectId, network, detail } }: { event: NamedEvent }) {
  const facts: [string, string, string?][] = [
    ["Event", String(id)],
    ["Action", action, `what=${action}`],
    ["About", subjectId, `which=${encodeURIComponent(subjectId)}`],
    ...Object.entries(detail).map(([name, value]): [string, string, string?] =>
      name === "network" && network ? [name, value, `network=${encodeURIComponent(network)}`] : [name, value],
    ),
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value, query]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{query ? <a href={`/admin/audit?${query}`}>{value}</a> : <bdi translate="no">{value}</bdi>}</dd>
        </div>
      ))}
    </dl>
  );
}
