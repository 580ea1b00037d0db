import type { ReactNode } from "react";
import { Shell } from "@/components/shell";
import { currentUser } from "@/lib/auth/session";
import { env } from "@/lib/env";

export default async function PagesLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  return (
    <Shell viewer={user?.username ?? null} signUpOpen={env.ALLOW_SIGNUP}>
      {children}
    </Shell>
  );
}
