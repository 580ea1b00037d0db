"use client";

import { Button } from "@/components/button";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { Notice } from "@/components/notice";
import { UserField } from "@/components/user-field";
import { ErrorNotice } from "../error-notice";
import { offerAll } from "../keys/offer-actions";
import { useAction } from "../use-action";
import styles from "./page.module.css";

/** Offers all keys of the user to somebody else, before they are deleted with the account. */
export function HandOverAll({ keys: count, offered }: { keys: number; offered: number }) {
  const { run, busy, failure, error, errorAt, done, setDone, clear } = useAction();
  const all = count === 1 ? "your key" : `your ${count.toLocaleString("en")} keys`;

  async function submit(fields: FormData) {
    const answer = await run(() => offerAll(String(fields.get("username")), count));
    if (answer) setDone(`Offered to ${answer.ok.user}. Wait until they accept before you delete your account.`);
  }

  return (
    <>
      <p className={styles.soft}>
        Others may rely on <span>{all}</span>. To keep <span>{count === 1 ? "it" : "them"}</span> alive, hand{" "}
        <span>{count === 1 ? "it" : "them"}</span> over first.
        {offered > 0 && <span>{` ${keysAre(offered)} offered, and not accepted yet.`}</span>}
      </p>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.row}>
        <UserField label={`Offer ${all} to`} error={errorAt("username")} />
        <Button type="submit" variant="default" loading={busy}>
          Offer
        </Button>
      </Form>
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
    </>
  );
}

const keysAre = (count: number) => (count === 1 ? "1 key is" : `${count.toLocaleString("en")} keys are`);
