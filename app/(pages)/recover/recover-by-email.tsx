"use client";

import { Button } from "@/components/button";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { Notice } from "@/components/notice";
import { TextInput } from "@/components/text-input";
import { durationInWords, LINK_HOURS, UNDISTURBED_MS } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { askForLink } from "./actions";

/** Asks for a link by e-mail. Says the same whether the account exists and has an address or not. */
export function RecoverByEmail() {
  const { run, busy, failure, error, done, setDone, clear } = useAction();

  async function submit(fields: FormData) {
    if (!(await run(() => askForLink(String(fields.get("username")))))) return;
    setDone(
      "If this account has a verified e-mail address, a message is on its way, or came in the last " +
        `${durationInWords(UNDISTURBED_MS / 1_000)}. Its link works for ${durationInWords(LINK_HOURS * 3_600)}.`,
    );
  }

  return (
    <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.form}>
      <TextInput
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        required
        onChange={() => clear()}
      />
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
      <Button type="submit" loading={busy} fullWidth>
        Send me a link
      </Button>
    </Form>
  );
}
