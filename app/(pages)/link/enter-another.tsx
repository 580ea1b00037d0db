"use client";

import { type ReactNode, useActionState } from "react";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import { whyFailed } from "@/components/why-failed";
import { enterAnother } from "./actions";

/** Discards the code of this ticket and asks for another. */
export function EnterAnother({ ticketId, children }: { ticketId: string; children: ReactNode }) {
  const [error, submit, busy] = useActionState(() => enterAnother(ticketId).then(() => "", whyFailed), "");
  return (
    <form action={submit}>
      <Button type="submit" variant="default" size="sm" loading={busy}>
        {children}
      </Button>
      <Notice kind="error">{error}</Notice>
    </form>
  );
}
