import { env } from "@/lib/platform/env";
import { AcceptInvitation } from "./accept-invitation";

export const metadata = { title: "Invitation" };

export default function InvitePage() {
  return <AcceptInvitation contact={env.CONTACT} />;
}
