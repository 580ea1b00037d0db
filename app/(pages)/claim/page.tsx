import { currentUser } from "@/lib/accounts/session/current-user";
import { env } from "@/lib/platform/env";
import { AcceptKey } from "./accept-key";

export const metadata = { title: "A key for you" };

export default async function ClaimPage() {
  const user = await currentUser();
  return <AcceptKey username={user?.username ?? null} signUpOpen={env.ALLOW_SIGNUP} />;
}
