"use client";

import { SelectField, TextInput, useFieldText } from "@/components/form";
import { SteadyButton } from "@/components/steady-button";
import { AskButton } from "../../action-dialog";
import { ActionButton, ActionForm, Submit } from "../../action-form";
import { admitNetwork, endCode, refuseNetwork } from "./actions";
import styles from "./links.module.css";
import { BLOCK_TIMES } from "./times";

/** Blocks a network for a time. */
export function BlockForm({ network: proposed }: { network: string }) {
  const network = useFieldText(proposed);
  const reason = useFieldText("");

  function empty() {
    network.setText("");
    reason.setText("");
    network.field.ref.current?.focus();
  }

  return (
    <ActionForm
      action={refuseNetwork}
      done={(blocked) => `${blocked} is blocked.`}
      onDone={empty}
      className={styles.form}
    >
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
      />
      <SelectField
        label="How long"
        name="time"
        description="You can unblock it earlier"
        data={BLOCK_TIMES.map(({ value, label }) => ({ value, label }))}
        defaultValue="1d"
      />
      <TextInput
        label="Reason (optional)"
        name="reason"
        description="Other operators see it. The blocked network doesn't."
        maxLength={200}
        autoComplete="off"
        {...reason.field}
      />
      <Submit as={SteadyButton}>Block network</Submit>
    </ActionForm>
  );
}

/** Takes requests from a network again. To undo it, the network is blocked again. */
export function Unblock({ network }: { network: string }) {
  return (
    <ActionButton as={SteadyButton} size="xs" aria-label={`Unblock ${network}`} action={admitNetwork} input={network}>
      Unblock
    </ActionButton>
  );
}

/** Ends a request, after a question. */
export function EndLink({ linkId, program, network }: { linkId: string; program: string; network: string }) {
  const named = program === "" ? "this program" : `“${program}”`;
  return (
    <AskButton
      button={{ size: "xs", "aria-label": `End the code of ${named}, ${network}`, children: "End" }}
      title="End this code?"
      submit="End code"
      color="red"
      action={endCode}
      input={() => linkId}
    >
      <p>
        The code of <span>{named}</span> at <span translate="no">{network}</span> can no longer be approved. The program
        gets no token, even if someone has already approved it. It can request another code. This can't be undone.
      </p>
    </AskButton>
  );
}
