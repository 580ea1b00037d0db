import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { CommandLine } from "@/components/command-line";
import { Panel } from "@/components/panel";
import { lossesOf } from "@/lib/account/losses";
import { identitiesOf } from "@/lib/auth/identities";
import { configuredProviders, storedProvider } from "@/lib/auth/providers";
import { currentUser } from "@/lib/auth/session";
import { sessionsOf } from "@/lib/auth/sessions";
import { tokenMadeAt } from "@/lib/auth/tokens";
import { passwordHashOf } from "@/lib/auth/users";
import { describeProgram } from "@/lib/link/program";
import { linkedPrograms } from "@/lib/link/programs";
import type { Query } from "../next-path";
import { pageOrigin } from "../origin";
import { DeleteAccount } from "./delete-account";
import { Download } from "./download";
import styles from "./page.module.css";
import { PasswordForm } from "./password-form";
import { ProgramsPanel } from "./programs-panel";
import { ProviderList } from "./provider-list";
import { SessionList } from "./session-list";
import { TokenPanel } from "./token-panel";

export const metadata: Metadata = { title: "Account" };

export default async function AccountPage({ searchParams }: { searchParams: Query }) {
  const user = await currentUser();
  if (!user) redirect("/signin?next=/account");
  const [origin, madeAt, password, identities, programs, sessions, losses, { connected }] = await Promise.all([
    pageOrigin(),
    tokenMadeAt(user.id),
    passwordHashOf(user.id).then((hash) => hash !== null),
    identitiesOf(user.id),
    linkedPrograms(user.id),
    sessionsOf(user.id),
    lossesOf(user.id),
    searchParams,
  ]);
  const providers = configuredProviders().map((provider) => ({
    ...provider,
    connected: identities.some((identity) => identity.provider === storedProvider(provider.id)),
  }));

  return (
    <div className={styles.page}>
      <div>
        <h1>{user.username}</h1>
        {user.role === "admin" && <p className={styles.soft}>Administrator of this service</p>}
      </div>
      <Panel title="Your token">
        <p className={styles.soft}>Programs prove with it that they act for you. Give it to none that you do not trust: whoever has it can do what you can.</p>
        <TokenPanel programs={programs} madeAt={madeAt.getTime()} />
        <h3 className={styles.use}>How to use it</h3>
        <p className={styles.soft}>
          Put it where <code>TOKEN</code> stands. A program can also get it by itself: it shows you six letters, and you <a href="/link">link it</a>.
        </p>
        <CommandLine command={`curl "${origin}/me?auth=TOKEN"`} />
      </Panel>
      <Panel title="Linked programs">
        <ProgramsPanel programs={programs} />
      </Panel>
      <Panel title={password ? "Change your password" : "Set a password"}>
        <PasswordForm username={user.username} asksCurrent={password} programs={programs} />
      </Panel>
      {providers.length > 0 && (
        <Panel title="Other ways to sign in">
          <ProviderList providers={providers} result={typeof connected === "string" ? connected : undefined} />
        </Panel>
      )}
      <Panel title="Where you are signed in">
        <SessionList
          sessions={sessions.map(({ id, since, userAgent, network }) => ({
            id,
            since,
            network,
            browser: describeProgram(userAgent),
            isThis: id === user.sessionId,
          }))}
        />
      </Panel>
      <Panel title="Everything of yours">
        <Download />
      </Panel>
      <Panel title="Delete this account">
        <DeleteAccount username={user.username} asksPassword={password} losses={losses} programs={programs.length} />
      </Panel>
    </div>
  );
}
