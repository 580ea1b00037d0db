import { Notice } from "@/components/notice";

/** Greets somebody who has just signed up, and offers what to do before a password is forgotten. */
export function OfferCodes() {
  return (
    <Notice kind="done">
      Your account is ready. In case you forget your password, <a href="#recovery-codes">create recovery codes</a>.
    </Notice>
  );
}
