"use client";

import { useState } from "react";
import { ProgressBar } from "@/components/feedback";
import { TextInput } from "@/components/form";
import { readableBytes } from "@/components/words";
import { seenOf } from "@/lib/platform/bounds";
import type { QuotaName, Quotas } from "@/lib/platform/limits/quotas";
import { ActionForm, Submit } from "../../action-form";
import { changeQuotas } from "./actions";
import styles from "./users.module.css";

const LABELS: Record<QuotaName, string> = {
  keys: "Keys",
  keyBytes: "Bytes of keys",
  fileBytes: "Bytes of files",
  entries: "Files and folders",
};
const NAMES = Object.keys(LABELS) as QuotaName[];

type Own = Record<QuotaName, number | null>;

interface QuotasProps {
  username: string;
  used: Quotas;
  own: Own;
  /** What holds where the user has no quota of their own. */
  setting: Quotas;
}

/** What a user has of what they may have, and a form for quotas of their own. */
export function OwnQuotas({ username, used, own, setting }: QuotasProps) {
  const [input, setInput] = useState(() => written(own));
  const changed = NAMES.filter((name) => input[name].trim() !== written(own)[name]);

  return (
    <>
      <ul className={styles.use}>
        {NAMES.map((name) => (
          <Use key={name} name={name} used={used[name]} max={own[name] ?? setting[name]} />
        ))}
      </ul>
      <ActionForm
        action={changeQuotas}
        input={() => ({ username, change: Object.fromEntries(changed.map((name) => [name, input[name]])) })}
        done="The limits have been saved."
        className={`stack ${styles.limits}`}
      >
        <h3>Individual limits</h3>
        <div className={styles.fields}>
          {NAMES.map((name) => (
            <TextInput
              key={name}
              label={name === "entries" ? "Files, folders and the root" : LABELS[name]}
              name={name}
              value={input[name]}
              onChange={(event) => setInput({ ...input, [name]: event.currentTarget.value })}
              placeholder={setting[name].toLocaleString("en")}
              inputMode="numeric"
              maxLength={20}
              autoComplete="off"
            />
          ))}
        </div>
        <p className="soft">
          Leave a field empty to use the limit for everyone. A limit below what the user already has deletes nothing; it
          only stops them from adding more.
        </p>
        <Submit variant="default" disabled={changed.length === 0}>
          Save limits
        </Submit>
      </ActionForm>
    </>
  );
}

function Use({ name, used, max }: { name: QuotaName; used: number; max: number }) {
  const inBytes = name === "keyBytes" || name === "fileBytes";
  const amount = (number: number) =>
    inBytes ? readableBytes(number) : (name === "entries" ? seenOf(number) : number).toLocaleString("en");
  return (
    <li>
      <span>{LABELS[name]}</span>
      <span className="figures">{`${amount(used)} of ${amount(max)}`}</span>
      <ProgressBar label={LABELS[name]} done={max > 0 ? used / max : 1} state={used > max ? "full" : "running"} />
    </li>
  );
}

const written = (own: Own): Record<QuotaName, string> => ({
  keys: own.keys?.toString() ?? "",
  keyBytes: own.keyBytes?.toString() ?? "",
  fileBytes: own.fileBytes?.toString() ?? "",
  entries: own.entries?.toString() ?? "",
});
