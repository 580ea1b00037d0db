"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/button";
import { CommandLine } from "@/components/command-line";
import { Form } from "@/components/form";
import { Notice } from "@/components/notice";
import { TextInput } from "@/components/text-input";
import { whyFailed } from "@/components/why-failed";
import { requestPath } from "@/lib/api/samples";
import { useOwnToken } from "./own-token";
import { ReceivedResponse } from "./received-response";
import { type Received, send } from "./send";
import { TokenField, UserTokenField } from "./token-field";
import styles from "./try.module.css";

/** Longer than any value that a route takes. */
const LONGEST_HEADER = 100;

/** What the form needs to know of a route. */
export interface TriedRoute {
  path: string;
  changes: boolean;
  /** The variable that stands for the token in the command, or null if the route takes none. */
  tokenVariable: string | null;
  parameters: TriedParameter[];
}

export interface TriedParameter {
  name: string;
  /** Sent as a header of this name, not in the URL. */
  isHeader: boolean;
  required: boolean;
  type: string;
  description?: string;
  example?: string;
  /** What the field contains at first. */
  start?: string;
}

/** A form for one route's request: its fields, the request as a command, and the response. */
export function TryForm({ route, origin }: { route: TriedRoute; origin: string }) {
  const { path, changes, tokenVariable, parameters } = route;
  const own = useOwnToken();
  const [operatorToken, setOperatorToken] = useState("");
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(parameters.map(({ name, start = "" }) => [name, start])),
  );
  const { ask, busy, failed, received } = useRequest();

  const sentIn = (isHeader: boolean) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.isHeader === isHeader && values[parameter.name])
        .map(({ name }) => [name, values[name] ?? ""]),
    );
  const address = requestPath(path, sentIn(false));
  const ownHeaders = sentIn(true);
  const token = tokenVariable === "TOKEN" ? own.token : tokenVariable ? operatorToken : "";
  const sendNow = () => ask(address, { ...ownHeaders, ...(token !== "" && { Authorization: `Bearer ${token}` }) });
  const typed = [
    ...(tokenVariable ? [`-H "Authorization: Bearer $${tokenVariable}" `] : []),
    ...Object.entries(ownHeaders).map(([name, value]) => `-H '${name}: ${value}' `),
  ].join("");
  return (
    <Form
      className={styles.form}
      // What changes something waits for the press of its button: Enter in a field does not send it.
      onSubmit={() => !changes && sendNow()}
    >
      {tokenVariable === "TOKEN" && <UserTokenField />}
      {tokenVariable && tokenVariable !== "TOKEN" && (
        <TokenField label={tokenVariable} value={operatorToken} onChange={setOperatorToken} />
      )}
      {parameters.map(({ name, isHeader, required, type, description, example }) => (
        <TextInput
          key={name}
          label={
            <span>
              <span translate="no">{name}</span>{" "}
              <span className={styles.hint}>
                {`${type}${required ? "" : ", optional"}${isHeader ? ", in a header" : ""}`}
              </span>
            </span>
          }
          aria-label={name}
          description={description}
          placeholder={example && `Example: ${example}`}
          inputMode={type === "decimal" ? "decimal" : type === "integer" ? "numeric" : "text"}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={values[name]}
          maxLength={isHeader ? LONGEST_HEADER : undefined}
          onChange={({ currentTarget: { value } }) =>
            setValues((before) => ({ ...before, [name]: isHeader ? asHeader(value) : value }))
          }
        />
      ))}
      <CommandLine command={`curl ${typed}'${origin}${address}'`} />
      {changes && (
        <p className={styles.change}>This request changes something. It is sent when you press the button.</p>
      )}
      <div>
        {changes ? (
          <Button type="button" onClick={sendNow} loading={busy}>
            Send the change
          </Button>
        ) : (
          <Button type="submit" loading={busy}>
            Send
          </Button>
        )}
      </div>
      <Notice kind="error">{failed}</Notice>
      <div role="status">{received && <ReceivedResponse path={path} received={received} />}</div>
    </Form>
  );
}

/** The other characters mean something to a shell, or cannot be in a header. */
const asHeader = (text: string) => text.replace(/[^\w.~+/=-]/g, "");

/** One request at a time: a new one, and leaving the page, end the one before. */
function useRequest() {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState("");
  const [received, setReceived] = useState<Received | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function ask(path: string, headers: Record<string, string>) {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setBusy(true);
    setFailed("");
    setReceived(null);
    const answer = await send(path, headers, own.signal).catch(whyFailed);
    if (own.signal.aborted) return;
    setBusy(false);
    if (typeof answer === "string") setFailed(answer);
    else setReceived(answer);
  }

  return { ask, busy, failed, received };
}
