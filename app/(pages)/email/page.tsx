import { notFound } from "next/navigation";
import { hasMail } from "@/lib/accounts/ways-in/mail/transport";
import { VerifyAddress } from "./verify-address";

export const metadata = { title: "Verify your e-mail address" };

export default function VerifyAddressPage() {
  if (!hasMail()) notFound();
  return <VerifyAddress />;
}
