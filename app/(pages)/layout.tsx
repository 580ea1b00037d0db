import { headers } from "next/headers";
import type { ReactNode } from "react";
import { Shell } from "@/components/shell";
import { currentUser } from "@/lib/auth/session";
import { env } from "@/lib/env";

export default async function PagesLayout({ children }: { children: ReactNode }) {
  const [user, sent] = await Promise.all([currentUser(), headers()]);
  return (
    <Shell viewer={user?.username ?? null} path={sent.get("x-path") ?? undefined} signUpOpen={env.ALLOW_SIGNUP}>
      {children}
    </Shell>
  );
}
