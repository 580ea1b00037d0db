"use client";

import { Button } from "@/components/button";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { Notice } from "@/components/notice";
import { UserField } from "@/components/user-field";
import { When } from "@/components/when";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import styles from "./keys.module.css";
import { offer, withdraw } from "./offer-actions";

/** Offers a key to another user, or takes the offer back. */
export function HandOver({ keyId, offer: open }: { keyId: string; offer: { user: string; at: Date } | null }) {
  const { run, busy, failure, error, errorAt, done, setDone, clear } = useAction();

  async function submit(fields: FormData) {
    const answer = await run(() => offer(keyId, String(fields.get("username"))));
    if (answer) setDone(`The key is offered to ${answer.ok}.`);
  }

  async function takeBack() {
    if (await run(() => withdraw(keyId))) setDone("The offer has been withdrawn.");
  }

  return (
    <>
      {open ? (
        <div className={styles.offered}>
          <p>
            Offered to <strong translate="no">{open.user}</strong> on <When at={open.at} />. Until they accept, the key
            stays yours.
          </p>
          <Button size="sm" variant="default" onClick={takeBack} loading={busy}>
            Withdraw offer
          </Button>
        </div>
      ) : (
        <>
          <p className={styles.soft}>
            Another user becomes its creator once they accept on their Keys page. You and all other holders keep access.
          </p>
          <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.row}>
            <UserField label="New creator" error={errorAt("username")} />
            <Button type="submit" variant="default" loading={busy}>
              Offer
            </Button>
          </Form>
        </>
      )}
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
    </>
  );
}
