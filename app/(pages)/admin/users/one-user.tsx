import { ActivityList } from "@/components/activity";
import { Panel } from "@/components/panel";
import { When } from "@/components/when";
import { activityOf } from "@/lib/account/activity";
import { lossesOf } from "@/lib/account/losses";
import type { SignedIn } from "@/lib/auth/current-user";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { type ShownUser, showUser } from "@/lib/operator/users/show";
import { withBrowser } from "../../account/activity/with-browser";
import { SameCommand } from "../same-command";
import { DeleteUser } from "./delete-user";
import { OwnQuotas } from "./own-quotas";
import { RecoveryLink } from "./recovery-link";
import { RoleAndAccess } from "./role-and-access";
import styles from "./users.module.css";
import { WaysIn } from "./ways-in";

const EVENTS_A_PAGE = 20;

interface OneUserProps {
  admin: SignedIn;
  name: string;
  sent: Record<string, string>;
}

/** One user: what they have and may have, their ways in, what happened, and what an administrator may do. */
export async function OneUser({ admin, name, sent }: OneUserProps) {
  const user = await found(name);
  if (!user)
    return (
      <div className={styles.head}>
        <a href="/admin/users">All users</a>
        <h2>There is no user with this name</h2>
        <p className={styles.soft}>The account may have been deleted.</p>
      </div>
    );
  const { username } = user;
  const isOwn = user.id === admin.id;
  return (
    <>
      <UserHead user={user} />
      <Panel title="Use and limits">
        <OwnQuotas
          username={username}
          used={user.used}
          own={user.own}
          setting={user.settings}
          key={JSON.stringify(user.own)}
        />
      </Panel>
      <Panel title="Role and access">
        <RoleAndAccess username={username} role={user.role} isDisabled={user.disabledAt !== null} isOwn={isOwn} />
      </Panel>
      <WaysIn user={user} isOwn={isOwn} />
      <Panel title="Recovery link">
        {env.NEXTAUTH_URL ? (
          <RecoveryLink username={username} isDisabled={user.disabledAt !== null} />
        ) : (
          <p className={styles.soft}>Set NEXTAUTH_URL, the address of this service, to create links.</p>
        )}
      </Panel>
      <Happened user={user} sent={sent} />
      <Panel title="Delete this user">
        {isOwn ? (
          <p className={styles.soft}>
            This is your own account. Delete it under <a href="/account">Account</a>.
          </p>
        ) : (
          <DeleteUser username={username} losses={await lossesOf(user.id)} />
        )}
      </Panel>
    </>
  );
}

async function found(name: string): Promise<ShownUser | null> {
  return showUser(name).catch((error) => {
    if (error instanceof ApiError) return null;
    throw error;
  });
}

function UserHead({ user }: { user: ShownUser }) {
  const { username, role, createdAt, seenAt, disabledAt, deleting, password } = user;
  return (
    <div className={styles.head}>
      <a href="/admin/users">All users</a>
      <h2>{username}</h2>
      <dl className={styles.facts}>
        <Fact name="Role">{role === "admin" ? "Administrator" : "User"}</Fact>
        <Fact name="Access">
          {deleting ? (
            "Being deleted"
          ) : disabledAt ? (
            <>
              Disabled <When at={disabledAt} />
            </>
          ) : (
            "Enabled"
          )}
        </Fact>
        <Fact name="Password">{password ? "Set" : "None"}</Fact>
        <Fact name="Created">
          <When at={createdAt} />
        </Fact>
        <Fact name="Last seen">{seenAt ? <When at={seenAt} precise /> : "Never"}</Fact>
      </dl>
      <SameCommand command={`user:show ${username}`} />
    </div>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

async function Happened({ user: { id, username }, sent }: { user: ShownUser; sent: Record<string, string> }) {
  const before = /^[1-9]\d{0,14}$/.test(sent.before ?? "") ? Number(sent.before) : undefined;
  const { events, next } = await activityOf(id, EVENTS_A_PAGE, before);
  const href = `/admin/users?user=${username}`;
  return (
    <Panel title="Activity">
      <div id="activity">
        {events.length > 0 ? (
          <ActivityList events={events.map(withBrowser)} />
        ) : (
          <p className={styles.soft}>
            {next === null ? "No more activity in the last 90 days." : "Nothing in this period."}
          </p>
        )}
      </div>
      {(before !== undefined || next !== null) && (
        <nav className={styles.pages} aria-label="Pages of activity">
          {before !== undefined && <a href={`${href}#activity`}>Newest</a>}
          {next !== null && <a href={`${href}&before=${next}#activity`}>Older</a>}
        </nav>
      )}
      <SameCommand command={`audit --user ${username}`} />
    </Panel>
  );
}
