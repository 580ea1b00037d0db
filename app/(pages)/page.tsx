import { currentUser } from "@/lib/accounts/current-user";
import { lastLinked, overviewOf } from "@/lib/user-data/overview";
import { Home } from "./home";
import type { SearchParams } from "./next-path";
import { pageOrigin } from "./outcome";
import { Welcome } from "./welcome";

export default async function StartPage({ searchParams }: { searchParams: SearchParams }) {
  const [user, { deleted }] = await Promise.all([currentUser(), searchParams]);
  if (!user) return <Welcome origin={await pageOrigin()} isDeleted={deleted !== undefined} />;
  const [overview, program] = await Promise.all([overviewOf(user.id), lastLinked(user.id)]);
  return <Home overview={overview} lastLinked={program} />;
}
