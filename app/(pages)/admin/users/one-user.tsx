import { Fact, Facts } from "@/components/content";
import { ActivityList } from "@/components/events";
import { Panel } from "@/components/page";
import { idBefore, PageLinks } from "@/components/table";
import { RelativeTime, When } from "@/components/time";
import type { SignedIn } from "@/lib/accounts/session/current-user";
import { type ShownUser, showUser } from "@/lib/operator/users/view";
import { orNull } from "@/lib/platform/errors";
import { ACTIVITY_DAYS, activityOf } from "@/lib/user-data/activity";
import { lossesOf } from "@/lib/user-data/delete";
import { OneHead, type Query, SameCommand } from "../console-page";
import { RecoveryLink } from "./invite";
import { OwnQuotas } from "./own-quotas";
import { SignInMethods } from "./sign-in-methods";
import { DeleteUser, RoleAndAccess } from "./user-actions";

const EVENTS_A_PAGE = 20;
const LIST = { href: "/admin/users", words: "All users" };

interface OneUserProps {
  admin: SignedIn;
  name: string;
  query: Query;
}

/** One user: what they have and may have, their ways in, what happened, and what an administrator may do. */
export async function OneUser({ admin, name, query }: OneUserProps) {
  const user = await showUser(name).catch(orNull);
  if (!user)
    return (
      <OneHead list={LIST} name="There is no user with this name">
        <p className="soft">The account may have been deleted.</p>
      </OneHead>
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
      <SignInMethods user={user} isOwn={isOwn} />
      <Panel title="Recovery link">
        <RecoveryLink username={username} isDisabled={user.disabledAt !== null} />
      </Panel>
      <Happened user={user} query={query} />
      <Panel title="Delete this user">
        {isOwn ? (
          <p className="soft">
            This is your own account. Delete it under <a href="/account">Account</a>.
          </p>
        ) : (
          <DeleteUser username={username} losses={await lossesOf(user.id)} />
        )}
      </Panel>
      <SameCommand commands={commandsFor(user)} />
    </>
  );
}

const commandsFor = ({ username, role, disabledAt }: ShownUser) => [
  `user:show ${username}`,
  `user:quota ${username}`,
  `user:role ${username} ${role === "admin" ? "user" : "admin"}`,
  `user:${disabledAt ? "enable" : "disable"} ${username}`,
  `user:sessions ${username} --end`,
  `token:list ${username}`,
  `user:passkeys ${username}`,
  `user:email ${username} --remove`,
  `user:recover ${username}`,
  `audit --user ${username}`,
  `user:delete ${username}`,
];

function UserHead({ user }: { user: ShownUser }) {
  const { username, role, createdAt, seenAt, disabledAt, deleting, password } = user;
  return (
    <OneHead list={LIST} name={username}>
      <Facts>
        <Fact name="Role">{role === "admin" ? "Administrator" : "User"}</Fact>
        <Fact name="Access">
          {deleting ? (
            "Being deleted"
          ) : disabledAt ? (
            <span>
              Disabled <When at={disabledAt} />
            </span>
          ) : (
            "Enabled"
          )}
        </Fact>
        <Fact name="Password">{password ? "Set" : "None"}</Fact>
        <Fact name="Created">
          <When at={createdAt} />
        </Fact>
        <Fact name="Last seen">{seenAt ? <RelativeTime at={seenAt} precise /> : "Never"}</Fact>
      </Facts>
    </OneHead>
  );
}

async function Happened({ user: { id, username }, query }: { user: ShownUser; query: Query }) {
  const before = idBefore(query.before);
  const { events, next } = await activityOf(id, { size: EVENTS_A_PAGE, before });
  const href = `/admin/users?user=${username}`;
  return (
    <Panel title="Activity">
      <div id="activity">
        {events.length > 0 ? (
          <ActivityList events={events} />
        ) : (
          <p className="soft">
            {next === null ? `No more activity in the last ${ACTIVITY_DAYS} days.` : "Nothing in this period."}
          </p>
        )}
      </div>
      <PageLinks
        of="activity"
        first={before !== undefined && { href: `${href}#activity`, words: "Newest" }}
        next={next !== null && { href: `${href}&before=${next}#activity`, words: "Older" }}
      />
    </Panel>
  );
}
