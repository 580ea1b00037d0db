import { overviewOf } from "@/lib/account/overview";
import { currentUser } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { linkedPrograms } from "@/lib/link/programs";
import { Home } from "./home";
import type { Query } from "./next-path";
import { pageOrigin } from "./origin";
import { Welcome } from "./welcome";

export default async function StartPage({ searchParams }: { searchParams: Query }) {
  const [user, { deleted }] = await Promise.all([currentUser(), searchParams]);
  if (!user) return <Welcome origin={await pageOrigin()} signUpOpen={env.ALLOW_SIGNUP} isDeleted={deleted !== undefined} />;
  const [overview, [lastLinked]] = await Promise.all([overviewOf(user.id), linkedPrograms(user.id)]);
  return <Home overview={overview} lastLinked={lastLinked} />;
}
