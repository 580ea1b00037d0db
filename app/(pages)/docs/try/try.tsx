"use client";

import { createContext, type ReactNode, useContext, useEffect, useId, useRef, useState } from "react";
import { readableBytes } from "@/components/content/words";
import { Button } from "@/components/controls/button";
import { CommandLine } from "@/components/controls/copy-button";
import { TextInput } from "@/components/controls/field";
import { Form } from "@/components/controls/form";
import { PasswordField } from "@/components/controls/password-field";
import { SteadyButton } from "@/components/controls/steady-button";
import { Notice } from "@/components/feedback/notice";
import { whyFailed } from "@/components/feedback/why-failed";
import { requestPath } from "@/lib/api/samples";
import { reveal } from "../../account/actions";
import { ErrorNotice } from "../../error-notice";
import { useAction } from "../../use-action";
import { type Received, SHOWN_BYTES, send } from "./send";
import styles from "./try.module.css";

interface OwnToken {
  isSignedIn: boolean;
  token: string;
  setToken: (token: string) => void;
}

const Context = createContext<OwnToken>({ isSignedIn: false, token: "", setToken: () => {} });

/** One token for all requests of a page. It is forgotten when the page is left. */
export function OwnTokenProvider({ isSignedIn, children }: { isSignedIn: boolean; children: ReactNode }) {
  const [token, setToken] = useState("");
  return <Context value={{ isSignedIn, token, setToken }}>{children}</Context>;
}

const useOwnToken = () => useContext(Context);

interface TokenFieldProps {
  label: string;
  value: string;
  onChange: (token: string) => void;
}

/** The token to send. A signed-in reader fetches their own with a press; until then it is not on the page. */
function UserTokenField() {
  const { isSignedIn, token, setToken } = useOwnToken();
  const { run, busy, error } = useAction();

  async function fetchOwn() {
    const result = await run(reveal);
    if (result) setToken(result.ok.text);
  }

  return (
    <div className={styles.token}>
      <TokenField label="Token" value={token} onChange={setToken} />
      {isSignedIn ? (
        <SteadyButton variant="default" onClick={fetchOwn} loading={busy}>
          Use my token
        </SteadyButton>
      ) : (
        <p className={styles.hint}>
          Your token is on <a href="/account#token">your account page</a>.
        </p>
      )}
      <ErrorNotice error={error} />
    </div>
  );
}

/** A field whose content nobody can read over a shoulder, and that no browser remembers. */
function TokenField({ label, value, onChange }: TokenFieldProps) {
  return (
    <PasswordField
      what="token"
      required={false}
      label={label}
      description="Sent as Authorization: Bearer"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

/** A response: its status and time, the headers worth seeing, and its body or the first part of it. */
function ReceivedResponse({ path, received }: { path: string; received: Received }) {
  const { status, isSuccess, milliseconds, headers, body, isComplete, length } = received;
  return (
    <div className={styles.received}>
      <p>
        <strong className={isSuccess ? styles.success : styles.refusal}>{status}</strong>{" "}
        <span className={styles.hint}>{`in ${milliseconds} ms`}</span>
      </p>
      <dl className={styles.headers}>
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!isComplete && (
        <p className={styles.hint}>
          These are the first <span>{readableBytes(SHOWN_BYTES)}</span>
          <span>{length !== undefined && ` of a response of ${readableBytes(length)}`}</span>. The rest was not loaded.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled by keyboard */}
      <section className={styles.body} tabIndex={0} aria-label={`Body of the response of ${path}`}>
        <pre translate="no">{body}</pre>
      </section>
    </div>
  );
}

/** Longer than any value that a route takes. */
const MAX_HEADER = 100;

/** What the form needs to know of a route. */
interface TriedRoute {
  path: string;
  changes: boolean;
  /** The variable that stands for the token in the command, or null if the route takes none. */
  tokenVariable: string | null;
  parameters: TriedParameter[];
}

interface TriedParameter {
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
function TryForm({ route, origin }: { route: TriedRoute; origin: string }) {
  const { path, changes, tokenVariable, parameters } = route;
  const own = useOwnToken();
  const [operatorToken, setOperatorToken] = useState("");
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(parameters.map(({ name, start = "" }) => [name, start])),
  );
  const { request, busy, failed, received } = useRequest();

  const valuesIn = (isHeader: boolean) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.isHeader === isHeader && values[parameter.name])
        .map(({ name }) => [name, values[name] ?? ""]),
    );
  const address = requestPath(path, valuesIn(false));
  const ownHeaders = valuesIn(true);
  const token = tokenVariable === "TOKEN" ? own.token : tokenVariable ? operatorToken : "";
  const sendNow = () => request(address, { ...ownHeaders, ...(token !== "" && { Authorization: `Bearer ${token}` }) });
  const options = [
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
          maxLength={isHeader ? MAX_HEADER : undefined}
          onChange={({ currentTarget: { value } }) =>
            setValues((before) => ({ ...before, [name]: isHeader ? asHeader(value) : value }))
          }
        />
      ))}
      <CommandLine command={`curl ${options}'${origin}${address}'`} />
      {changes && (
        <p className={styles.change}>This request changes something. It is sent when you press the button.</p>
      )}
      <div>
        {changes ? (
          <SteadyButton onClick={sendNow} loading={busy}>
            Send the change
          </SteadyButton>
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

  async function request(path: string, headers: Record<string, string>) {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setBusy(true);
    setFailed("");
    setReceived(null);
    const result = await send(path, headers, own.signal).catch(whyFailed);
    if (own.signal.aborted) return;
    setBusy(false);
    if (typeof result === "string") setFailed(result);
    else setReceived(result);
  }

  return { request, busy, failed, received };
}

/** Opens the form that sends this route's request. */
export function TryRoute({ route, origin }: { route: TriedRoute; origin: string }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={styles.try}>
      <Button
        size="sm"
        variant="default"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={`${isOpen ? "Close" : "Try it"}: ${route.path}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? "Close" : "Try it"}
      </Button>
      {isOpen && (
        <div id={id}>
          <TryForm route={route} origin={origin} />
        </div>
      )}
    </div>
  );
}
