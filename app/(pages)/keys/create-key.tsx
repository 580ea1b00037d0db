"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Form } from "@/components/form";
import { IconPlus } from "@/components/icons";
import { ApiCall } from "@/components/keys/api-calls";
import { Actions } from "@/components/panel";
import { TextInput } from "@/components/text-input";
import { Textarea } from "@/components/textarea";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { create } from "./actions";
import styles from "./keys.module.css";
import { PriceField, priceOf, typedPrice } from "./price-field";
import { shellCommand } from "./shell-command";

/** A button that asks for a new key's name, data and price, creates it, and opens its page. */
export function CreateKey({ origin, label }: { origin: string; label: string }) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const [opened, setOpened] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [name, setName] = useState("");
  const [data, setData] = useState("");
  const [price, setPrice] = useState(typedPrice("0"));

  function open() {
    clear();
    setOpened(true);
  }

  async function submit() {
    const made = await run(() => create({ name, data, price: priceOf(price) }));
    if (!made) return;
    setLeaving(true);
    window.location.assign(`/keys?key=${made.ok}`);
  }

  return (
    <>
      <Button size="sm" onClick={open} leftSection={<IconPlus size={16} />}>
        {label}
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="New key">
        <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.form}>
          <TextInput
            label="Name"
            description="A label for you and its holders. Optional."
            value={name}
            error={errorAt("name")}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          <Textarea
            label="Data"
            description="The secret that only holders can read."
            required
            rows={3}
            spellCheck={false}
            size="md"
            value={data}
            error={errorAt("data")}
            onChange={(e) => setData(e.currentTarget.value)}
            inputClassName={styles.secret}
          />
          <PriceField
            typed={price}
            error={errorAt("price")}
            onType={(typed) => {
              if (errorAt("price")) clear();
              setPrice(typed);
            }}
          />
          <ErrorNotice error={error} />
          <Actions>
            <Button type="submit" loading={busy || leaving}>
              Create key
            </Button>
            <Button variant="default" onClick={() => setOpened(false)}>
              Cancel
            </Button>
          </Actions>
          <ApiCall
            title="Create the key"
            command={shellCommand(origin, "/keys/create", {
              data: "DATA",
              price: priceOf(price),
              ...(name && { name }),
            })}
          />
        </Form>
      </Dialog>
    </>
  );
}
