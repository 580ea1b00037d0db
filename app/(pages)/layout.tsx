import type { ReactNode } from "react";
import { Shell } from "@/components/frame/shell";
import { isPasskeyOffered } from "@/lib/accounts/cookies";
import { currentUser } from "@/lib/accounts/current-user";
import { isOperator } from "@/lib/operator/access";
import { env } from "@/lib/platform/env";
import { AcrossPages, GuestLinks, SameUser } from "./across-pages";
import { IdentityPrompt } from "./identity/identity-prompt";
import { PasskeyOffer } from "./passkeys/passkey-offer";

export default async function PagesLayout({ children }: { children: ReactNode }) {
  const [user, isOffered] = await Promise.all([currentUser(), isPasskeyOffered()]);
  return (
    <Shell
      viewer={user?.username ?? null}
      isOperator={user !== null && isOperator(user)}
      guestLinks={<GuestLinks signUpOpen={env.ALLOW_SIGNUP} />}
    >
      <SameUser viewer={user && { id: user.id, username: user.username }}>
        <IdentityPrompt>
          {user && isOffered && <PasskeyOffer />}
          <AcrossPages>{children}</AcrossPages>
        </IdentityPrompt>
      </SameUser>
    </Shell>
  );
}
