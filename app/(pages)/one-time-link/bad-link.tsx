import type { ReactNode } from "react";
import form from "@/components/form.module.css";
import { durationInWords, LINK_HOURS } from "@/lib/platform/bounds";

/** Says what may be wrong with a link, not which it is: guessing shows nothing. `children`: how to get another. */
export function BadLink({ children }: { children: ReactNode }) {
  return (
    <div className={form.page}>
      <h1>This link doesn't work</h1>
      <p className={form.lead}>
        {`It may have been used already, be more than ${durationInWords(LINK_HOURS * 3_600)} old, or have been ` +
          "replaced by a newer one. The address may also be incomplete."}
      </p>
      <p className={form.lead}>{children}</p>
      <p className={form.lead}>
        Know your password? <a href="/signin">Sign in</a>
      </p>
    </div>
  );
}
