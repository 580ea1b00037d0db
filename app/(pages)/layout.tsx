import type { ReactNode } from "react";
import { Shell } from "@/components/shell";
import { currentUser } from "@/lib/auth/current-user";
import { isPasskeyOffered } from "@/lib/auth/passkey-offer";
import { env } from "@/lib/env";
import { isOperator } from "@/lib/operator/require-operator";
import { AcrossPages } from "./across-pages";
import { GuestLinks } from "./guest-links";
import { AskIdentity } from "./identity/ask-identity";
import { PasskeyOffer } from "./passkeys/passkey-offer";
import { SameUser } from "./same-user";

export default async function PagesLayout({ children }: { children: ReactNode }) {
  const [user, isOffered] = await Promise.all([currentUser(), isPasskeyOffered()]);
  return (
    <Shell
      viewer={user?.username ?? null}
      isOperator={user !== null && isOperator(user)}
      guestLinks={<GuestLinks signUpOpen={env.ALLOW_SIGNUP} />}
    >
      <SameUser viewer={user && { id: user.id, username: user.username }}>
        <AskIdentity>
          {user && isOffered && <PasskeyOffer />}
          <AcrossPages>{children}</AcrossPages>
        </AskIdentity>
      </SameUser>
    </Shell>
  );
}
