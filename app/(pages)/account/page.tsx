import { Fact, Facts } from "@/components/content";
import { CommandLine } from "@/components/copy-button";
import { ActivityList } from "@/components/events";
import { Panel } from "@/components/page";
import { When } from "@/components/time";
import { tokensOf } from "@/lib/accounts/identity/access-tokens/list";
import { relyingParty, whyNoPasskeys } from "@/lib/accounts/identity/relying-party";
import { tokenCreatedAt } from "@/lib/accounts/identity/token";
import { currentUser } from "@/lib/accounts/session/current-user";
import { sessionsOf } from "@/lib/accounts/session/sessions";
import { identitiesOf } from "@/lib/accounts/ways-in/identities";
import { emailOf } from "@/lib/accounts/ways-in/mail/addresses";
import { isPasskeyOffered } from "@/lib/accounts/ways-in/passkeys/browser";
import { passkeysOf } from "@/lib/accounts/ways-in/passkeys/list";
import { passwordHashOf } from "@/lib/accounts/ways-in/passwords";
import { configuredProviders, storedProvider } from "@/lib/accounts/ways-in/providers";
import { recoveryOf } from "@/lib/accounts/ways-in/recovery/recover";
import { linkedPrograms } from "@/lib/link/list";
import { describeProgram } from "@/lib/platform/user-agent";
import { ACTIVITY_DAYS, activityOf } from "@/lib/user-data/activity";
import { lossesOf } from "@/lib/user-data/delete";
import { overviewOf } from "@/lib/user-data/overview";
import { PasskeyOffer } from "../_signing-in/passkey-buttons";
import type { SearchParams } from "../next-path";
import { pageOrigin, signInFirst } from "../visitor";
import { DeleteAccount, Download } from "./data-panels";
import styles from "./page.module.css";
import { EmailPanel, OfferCodes, RecoveryPanel } from "./recovery";
import { SessionList } from "./session-list";
import { PasskeysPanel, PasswordForm, ProviderList } from "./sign-in-methods";
import { TokenPanel } from "./token-panel";
import { TokensPanel } from "./tokens-panel";

export const metadata = { title: "Account" };

const SECTIONS = [
  { id: "profile", name: "Profile" },
  { id: "sign-in", name: "Sign-in" },
  { id: "programs", name: "Programs and tokens" },
  { id: "sessions", name: "Sessions" },
  { id: "data", name: "Data" },
];

export default async function AccountPage({ searchParams }: { searchParams: SearchParams }) {
  const user = await currentUser();
  if (!user) signInFirst("/account");
  const [
    isOffered,
    origin,
    createdAt,
    password,
    identities,
    programs,
    tokens,
    sessions,
    passkeys,
    losses,
    recovery,
    email,
    activity,
    overview,
    query,
  ] = await Promise.all([
    isPasskeyOffered(),
    pageOrigin(),
    tokenCreatedAt(user.id),
    passwordHashOf(user.id).then((hash) => hash !== null),
    identitiesOf(user.id),
    linkedPrograms(user.id),
    tokensOf(user.id),
    sessionsOf(user.id),
    passkeysOf(user.id),
    lossesOf(user.id),
    recoveryOf(user.id),
    emailOf(user.id),
    activityOf(user.id, { size: 5 }),
    overviewOf(user.id),
    searchParams,
  ]);
  const { connected, welcome } = query;
  const providers = configuredProviders().map((provider) => ({
    ...provider,
    connected: identities.some((identity) => identity.provider === storedProvider(provider.id)),
  }));

  return (
    <>
      {isOffered && <PasskeyOffer />}
      <h1>Account</h1>
      <div className={styles.account}>
        <nav className={styles.sections} aria-label="Account">
          {SECTIONS.map(({ id, name }) => (
            <a key={id} href={`#${id}`}>
              {name}
            </a>
          ))}
        </nav>
        <div className={styles.page}>
          {welcome !== undefined && recovery.codes.left === 0 && <OfferCodes />}
          <div id="profile" className={styles.section}>
            <Panel title="Profile">
              <Facts>
                <Fact name="Username">
                  <span translate="no">{user.username}</span>
                </Fact>
                {user.role === "admin" && <Fact name="Role">Administrator of this service</Fact>}
                <Fact name="Member since">
                  <When at={new Date(overview.createdAt)} />
                </Fact>
              </Facts>
            </Panel>
            {email && (
              <Panel title="E-mail">
                <EmailPanel {...email} />
              </Panel>
            )}
          </div>
          <div id="sign-in" className={styles.section}>
            <Panel title={password ? "Change your password" : "Set a password"}>
              <PasswordForm username={user.username} needsCurrent={password} programs={programs} tokens={tokens} />
            </Panel>
            <Panel title="Passkeys">
              <PasskeysPanel passkeys={passkeys} host={relyingParty(origin)?.id ?? null} why={whyNoPasskeys(origin)} />
            </Panel>
            <Panel title="Recovery codes">
              <RecoveryPanel username={user.username} needsPassword={password} {...recovery.codes} />
            </Panel>
            {providers.length > 0 && (
              <Panel title="Other ways to sign in">
                <ProviderList providers={providers} result={typeof connected === "string" ? connected : undefined} />
              </Panel>
            )}
          </div>
          <div id="programs" className={styles.section}>
            <Panel title="Programs and tokens">
              <TokensPanel programs={programs} tokens={tokens} />
            </Panel>
            <Panel id="token" title="Your account's token">
              <p className="soft">It gives full access to your account. Share it only with programs you trust.</p>
              <TokenPanel programs={programs} tokens={tokens} createdAt={createdAt.getTime()} />
              <p className="soft">
                Replace <code translate="no">TOKEN</code> with it, or <a href="/link">link a program</a>, which then
                gets one itself.
              </p>
              <CommandLine command={`curl -H "Authorization: Bearer TOKEN" "${origin}/me"`} />
            </Panel>
          </div>
          <div id="sessions" className={styles.section}>
            <Panel title="Where you're signed in">
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
            <Panel title="Activity">
              <ActivityList events={activity.events} />
              <a href="/account/activity">{`All activity of the last ${ACTIVITY_DAYS} days`}</a>
            </Panel>
          </div>
          <div id="data" className={styles.section}>
            <Panel title="Export your data">
              <Download />
            </Panel>
            <Panel title="Delete this account">
              <DeleteAccount
                username={user.username}
                needsPassword={password}
                losses={losses}
                programs={programs.length + tokens.filter(({ state }) => state !== "ended").length}
              />
            </Panel>
          </div>
        </div>
      </div>
    </>
  );
}
