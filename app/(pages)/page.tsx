import { endingTokens } from "@/lib/accounts/access-tokens/list";
import { isPasskeyOffered } from "@/lib/accounts/cookies";
import { currentUser } from "@/lib/accounts/current-user";
import { newsFor } from "@/lib/keys/view";
import { activityOf } from "@/lib/user-data/activity";
import { lastLinked, overviewOf } from "@/lib/user-data/overview";
import { Home } from "./home";
import type { SearchParams } from "./next-path";
import { PasskeyOffer } from "./passkeys/passkey-offer";
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
