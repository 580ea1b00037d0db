"use client";

import { Button, Textarea, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Dialog } from "@/components/dialog";
import { Form } from "@/components/form";
import { AsCommand } from "@/components/keys/as-command";
import { Actions } from "@/components/panel";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { create } from "./actions";
import { command } from "./command";
import styles from "./keys.module.css";

/** A button that asks for a new key's name, data and price, makes it, and goes to its page. */
export function CreateKey({ origin, label }: { origin: string; label: string }) {
  const { run, busy, failure, error, errorAt } = useAction();
  const [opened, setOpened] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [name, setName] = useState("");
  const [data, setData] = useState("");
  const [price, setPrice] = useState("0");

  async function submit() {
    const made = await run(() => create({ name, data, price }));
    if (!made) return;
    setLeaving(true);
    window.location.assign(`/keys?key=${made.ok}`);
  }

  return (
    <>
      <Button size="sm" onClick={() => setOpened(true)} leftSection={<IconPlus size={16} />}>
        {label}
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="New key">
        <Form onSubmit={submit} failure={failure} className={styles.form}>
          <TextInput
            label="Name"
            description="For you and its holders to tell it by. May be empty."
            value={name}
            error={errorAt("name")}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          <Textarea
            label="Data"
            description="The secret that only holders can read."
            required
            withAsterisk={false}
            rows={3}
            spellCheck={false}
            size="md"
            value={data}
            error={errorAt("data")}
            onChange={(e) => setData(e.currentTarget.value)}
            classNames={{ input: styles.secret }}
          />
          <TextInput
            label="Price"
            description="A plain decimal like 12 or 0.5. Negative: not for sale."
            required
            inputMode="decimal"
            value={price}
            error={errorAt("price")}
            onChange={(e) => setPrice(e.currentTarget.value)}
          />
          <ErrorNotice error={error} />
          <Actions>
            <Button type="submit" loading={busy || leaving}>
              Make the key
            </Button>
            <Button variant="default" onClick={() => setOpened(false)}>
              Cancel
            </Button>
          </Actions>
          <AsCommand command={command(origin, "/keys/create", { data: "DATA", price, ...(name && { name }) })} />
        </Form>
      </Dialog>
    </>
  );
}
