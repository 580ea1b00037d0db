"use client";

import { useState } from "react";
import { Button } from "@/components/controls/button";
import { TextInput } from "@/components/controls/field";
import { Form, useFieldText } from "@/components/controls/form";
import { SelectField } from "@/components/controls/select-field";
import { SteadyButton } from "@/components/controls/steady-button";
import { Notice } from "@/components/feedback/notice";
import { Actions } from "@/components/frame/panel";
import { ConfirmDialog } from "../../confirm-dialog";
import { ErrorNotice } from "../../error-notice";
import { useAction } from "../../use-action";
import { admitNetwork, endCode, refuseNetwork } from "./actions";
import styles from "./links.module.css";
import { BLOCK_TIMES, type BlockTime } from "./times";

/** Blocks a network for a time. */
export function BlockForm({ network: proposed }: { network: string }) {
  const { run, busy, failure, error, errorAt, done, setDone, clear } = useAction();
  const network = useFieldText(proposed);
  const reason = useFieldText("");
  const [time, setTime] = useState<BlockTime>("1d");

  async function submit() {
    const result = await run(refuseNetwork, { network: network.text, time, reason: reason.text });
    if (!result) return;
    network.setText("");
    reason.setText("");
    setDone(`${result.ok} is blocked.`);
    network.field.ref.current?.focus();
  }

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
          <SteadyButton type="submit" loading={busy}>
            Block network
          </SteadyButton>
        </Actions>
      </Form>
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
    </>
  );
}

/** Takes requests from a network again. To undo it, the network is blocked again. */
export function Unblock({ network }: { network: string }) {
  const { run, busy, error } = useAction();
  return (
    <>
      <SteadyButton
        variant="default"
        size="xs"
        aria-label={`Unblock ${network}`}
        loading={busy}
        onClick={() => run(admitNetwork, network)}
      >
        Unblock
      </SteadyButton>
      <div className={styles.inCell}>
        <ErrorNotice error={error} />
      </div>
    </>
  );
}

/** Ends a request, after a question. */
export function EndLink({ linkId, program, network }: { linkId: string; program: string; network: string }) {
  const [isOpen, setOpen] = useState(false);
  const named = program === "" ? "this program" : `“${program}”`;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`End the code of ${named}, ${network}`}
        onClick={() => setOpen(true)}
      >
        End
      </Button>
      <div className={styles.inCell}>
        <ConfirmDialog
          opened={isOpen}
          title="End this code?"
          confirm="End code"
          action={() => endCode(linkId)}
          onClose={() => setOpen(false)}
          onDone={() => {}}
        >
          <p>
            The code of <span>{named}</span> at <span translate="no">{network}</span> can no longer be approved. The
            program gets no token, even if someone has already approved it. It can request another code. This can't be
            undone.
          </p>
        </ConfirmDialog>
      </div>
    </>
  );
}
