import type { Metadata } from "next";
import { currentUser } from "@/lib/accounts/current-user";
import { env } from "@/lib/platform/env";
import { pageOrigin } from "../visitor";
import { AcceptKey } from "./accept-key";

export const metadata: Metadata = { title: "A key for you" };

export default async function ClaimPage() {
  const [user, origin] = await Promise.all([currentUser(), pageOrigin()]);
  return <AcceptKey username={user?.username ?? null} signUpOpen={env.ALLOW_SIGNUP} origin={origin} />;
}
