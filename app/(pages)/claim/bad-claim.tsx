import form from "@/components/form.module.css";

/** Says what may be wrong with a claim link, not which it is: guessing shows nothing. */
export function BadClaim() {
  return (
    <div className={form.page}>
      <h1>This link doesn't work</h1>
      <p className={form.lead}>
        It may have been used by someone else, have expired, or have been ended. The address may also be incomplete.
      </p>
      <p className={form.lead}>Ask the person or shop that gave it to you for another one.</p>
      <p className={form.lead}>
        Accepted it before? <a href="/keys?list=given">Keys from others</a>
      </p>
    </div>
  );
}
