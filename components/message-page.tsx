import type { ReactNode } from "react";
import form from "./form.module.css";

/** A page with a single message, and the next links as children. */
export function MessagePage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className={form.page}>
      <h1>{title}</h1>
      <p className={form.lead}>{text}</p>
      {children}
    </div>
  );
}
