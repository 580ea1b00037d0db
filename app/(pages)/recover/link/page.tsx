import type { Metadata } from "next";
import { env } from "@/lib/env";
import { RecoverByLink } from "./recover-by-link";

export const metadata: Metadata = { title: "Set a new password" };

export default function RecoverByLinkPage() {
  return <RecoverByLink contact={env.CONTACT} />;
}
