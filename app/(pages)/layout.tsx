import type { ReactNode } from "react";
import { Shell } from "@/components/shell";
import { currentUser } from "@/lib/accounts/session/current-user";
import { isOperator } from "@/lib/operator/access";
import { env } from "@/lib/platform/env";
import { IdentityPrompt } from "./_signing-in/identity-prompt";
import { AcrossPages, GuestLinks, SameUser } from "./across-pages";

export default async function PagesLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  return (
    <Shell
      viewer={user?.username ?? null}
      isOperator={user !== null && isOperator(user)}
      guestLinks={<GuestLinks signUpOpen={env.ALLOW_SIGNUP} />}
    >
      <SameUser viewer={user && { id: user.id, username: user.username }}>
        <IdentityPrompt>
          <AcrossPages>{children}</AcrossPages>
        </IdentityPrompt>
      </SameUser>
    </Shell>
  );
}
