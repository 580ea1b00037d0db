"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Form } from "@/components/form";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import { SelectField } from "@/components/select-field";
import { TextInput } from "@/components/text-input";
import { ErrorNotice } from "../../error-notice";
import { useTyped } from "../../keys/use-typed";
import { useAction } from "../../use-action";
import { SameCommand } from "../same-command";
import { shellWord } from "../shell-word";
import { refuseNetwork } from "./actions";
import styles from "./links.module.css";
import { BLOCK_TIMES, type BlockTime } from "./times";

/** Blocks a network for a time. */
export function BlockForm({ network: proposed }: { network: string }) {
  const { run, busy, failure, error, errorAt, done, setDone, clear } = useAction();
  const network = useTyped(proposed);
  const reason = useTyped("");
  const [time, setTime] = useState<BlockTime>("1d");

  async function submit() {
    const answer = await run(() => refuseNetwork({ network: network.text, time, reason: reason.text }));
    if (!answer) return;
    network.setText("");
    reason.setText("");
    setDone(`${answer.ok} is blocked.`);
    network.field.ref.current?.focus();
  }

  const until = BLOCK_TIMES.find(({ value }) => value === time)?.option ?? "";
  const why = reason.text.trim() === "" ? "" : ` --reason ${shellWord(reason.text.trim())}`;
  return (
    <>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.form}>
        <TextInput
          label="Network"
          name="network"
          description="203.0.113.7, 203.0.113.0/24 or 2001:db8:1:2::/64"
          required
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...network.field}
          error={errorAt("network")}
        />
        <SelectField
          label="How long"
          description="You can unblock it earlier"
          data={BLOCK_TIMES.map(({ value, label }) => ({ value, label }))}
          value={time}
          onChange={(event) => setTime(event.currentTarget.value as BlockTime)}
        />
        <TextInput
          label="Reason (optional)"
          name="reason"
          description="Other operators see it. The blocked network doesn't."
          maxLength={200}
          autoComplete="off"
          {...reason.field}
          error={errorAt("reason")}
        />
        <Actions>
          <Button type="submit" loading={busy}>
            Block network
          </Button>
        </Actions>
      </Form>
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
      <SameCommand command={`network:block ${shellWord(network.text.trim() || "NETWORK")}${until}${why}`} />
    </>
  );
}
