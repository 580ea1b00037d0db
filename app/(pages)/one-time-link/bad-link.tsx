import form from "@/components/form.module.css";
import { Operator } from "../operator";

/** Says what may be wrong with a link, and not which: somebody who guesses learns nothing. */
export function BadLink({ contact }: { contact?: string }) {
  return (
    <div className={form.page}>
      <h1>This link doesn't work</h1>
      <p className={form.lead}>
        It may have been used already, be more than 24 hours old, or have been replaced by a newer one. The address may
        also be incomplete.
      </p>
      <p className={form.lead}>
        Ask <Operator contact={contact} /> for a new link.
      </p>
      <p className={form.lead}>
        Know your password? <a href="/signin">Sign in</a>
      </p>
    </div>
  );
}
