import { overviewOf } from "@/lib/account/overview";
import { currentUser } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { Home } from "./home";
import { pageOrigin } from "./origin";
import { Welcome } from "./welcome";

export default async function StartPage() {
  const user = await currentUser();
  if (!user) return <Welcome origin={await pageOrigin()} signUpOpen={env.ALLOW_SIGNUP} />;
  return <Home overview={await overviewOf(user.id)} />;
}
