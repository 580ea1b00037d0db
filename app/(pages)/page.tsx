import { LinkButton } from "@/components/buttons";
import { Fact, Facts, KeyTitle } from "@/components/content";
import rows from "@/components/content.module.css";
import { ActivityList } from "@/components/events";
import { Panel } from "@/components/page";
import { RelativeTime, When } from "@/components/time";
import { readableBytes } from "@/components/words";
import { endingTokens, type ListedToken } from "@/lib/accounts/identity/access-tokens/list";
import { currentUser } from "@/lib/accounts/session/current-user";
import { isPasskeyOffered } from "@/lib/accounts/ways-in/passkeys/browser";
import { type News, newsFor } from "@/lib/keys/news";
import { counted, seenOf } from "@/lib/platform/bounds";
import { type Activity, activityOf } from "@/lib/user-data/activity";
import { type LastLinked, lastLinked, overviewOf } from "@/lib/user-data/overview";
import { PasskeyOffer } from "./_signing-in/passkey-buttons";
import type { SearchParams } from "./next-path";
import styles from "./start.module.css";
import { pageOrigin } from "./visitor";
import { Welcome } from "./welcome";

export default async function StartPage({ searchParams }: { searchParams: SearchParams }) {
  const [user, { deleted }] = await Promise.all([currentUser(), searchParams]);
  if (!user) return <Welcome origin={await pageOrigin()} isDeleted={deleted !== undefined} />;
  const [isOffered, overview, programs, stopping, { ending }, { events }] = await Promise.all([
    isPasskeyOffered(),
    overviewOf(user.id),
    lastLinked(user.id),
    endingTokens(user.id),
    newsFor(user),
    activityOf(user.id, { size: 5 }),
  ]);
  return (
    <>
      {isOffered && <PasskeyOffer />}
      <Home overview={overview} programs={programs} stopping={stopping} ending={ending} activity={events} />
    </>
  );
}

const STEPS = [
  { href: "/link", title: "Link a program", text: "It shows you six letters. Enter them to give it access." },
  { href: "/keys", title: "Create a key", text: "Its secret is for the people you give it to." },
  { href: "/files", title: "Upload a file", text: "Linked programs can read all of them in one request." },
];

interface HomeProps {
  overview: Awaited<ReturnType<typeof overviewOf>>;
  /** The latest, some. */
  programs: LastLinked[];
  /** Tokens of programs' own that end within a week. */
  stopping: ListedToken[];
  ending: News["ending"];
  activity: Activity[];
}

/** The start page for a signed-in user: what has changed, or how to begin. */
function Home({ overview: { username, keys, files }, programs, stopping, ending, activity }: HomeProps) {
  const entries = seenOf(files.entries);
  const isNew = keys + entries + programs.length === 0;
  return (
    <div className={styles.home}>
      <div className={styles.head}>
        <h1>{`Hello, ${username}`}</h1>
        {!isNew && <LinkButton href="/link">Link a program</LinkButton>}
      </div>
      {isNew ? (
        <FirstSteps />
      ) : (
        <>
          <Facts>
            <Fact name="Keys you hold">
              <a href="/keys">{keys.toLocaleString("en")}</a>
            </Fact>
            <Fact name="Files and folders">
              <a href="/files">{entries.toLocaleString("en")}</a>
            </Fact>
            <Fact name="Space used">{readableBytes(files.bytes)}</Fact>
          </Facts>
          <div className={styles.panels}>
            <Ending ending={ending} />
            <Stopping tokens={stopping} />
            {programs.length > 0 && (
              <Panel title="Linked lately">
                <ul className={rows.list}>
                  {programs.map(({ program, linkedAt }) => (
                    <li key={`${program} ${linkedAt}`}>
                      <bdi translate="no">{program || "Unnamed program"}</bdi>
                      <RelativeTime at={new Date(linkedAt)} />
                    </li>
                  ))}
                </ul>
                <a href="/account#programs">All programs and tokens</a>
              </Panel>
            )}
            <Panel title="Activity">
              <ActivityList events={activity} />
              <a href="/account/activity">All activity</a>
            </Panel>
          </div>
        </>
      )}
    </div>
  );
}

/** The keys of others whose access ends soon. Nothing if there are none. */
function Ending({ ending: { items, total } }: { ending: News["ending"] }) {
  if (total === 0) return null;
  return (
    <Panel title="Access that ends soon">
      <ul className={rows.list}>
        {items.map(({ id, name, user, at }) => (
          <li key={id}>
            <span>
              <a href={`/keys?key=${id}`}>
                <KeyTitle name={name} />
              </a>
              <span className="detail">
                From <span translate="no">{user}</span>
              </span>
            </span>
            <When at={at} />
          </li>
        ))}
      </ul>
      {total > items.length && <a href="/keys?list=given">{counted(total - items.length, "more key", "more keys")}</a>}
    </Panel>
  );
}

/** As many as a panel shows. */
const MAX_STOPPING = 5;

/** The programs that stop soon. Nothing if there are none. */
function Stopping({ tokens }: { tokens: ListedToken[] }) {
  if (tokens.length === 0) return null;
  return (
    <Panel title="Programs that stop soon">
      <ul className={rows.list}>
        {tokens.slice(0, MAX_STOPPING).map(({ id, name, endsAt, isUnused }) => (
          <li key={id}>
            <span>
              <bdi translate="no">{name}</bdi>
              <span className="detail">{isUnused ? "Unless it's used before then" : "Its token expires"}</span>
            </span>
            {endsAt && <When at={endsAt} />}
          </li>
        ))}
      </ul>
      <a href="/account#programs">
        {tokens.length > MAX_STOPPING
          ? counted(tokens.length - MAX_STOPPING, "more program", "more programs")
          : "All programs and tokens"}
      </a>
    </Panel>
  );
}

function FirstSteps() {
  return (
    <ol className={styles.steps}>
      {STEPS.map(({ href, title, text }) => (
        <li key={href}>
          <a href={href}>
            <strong>{title}</strong>
            <span>{text}</span>
          </a>
        </li>
      ))}
    </ol>
  );
}
