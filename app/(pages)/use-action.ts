import { createContext, useContext, useEffect, useRef, useState } from "react";
import { whyFailed } from "@/components/failures";
import { useToast } from "@/components/toast";
import type { ConfirmationMethods } from "@/lib/accounts/ways-in/confirm";
import type { ActionFailure, Outcome } from "./action";

/** Opens the dialog in which users confirm who they are. Returns whether they did. */
export const ConfirmIdentityContext = createContext<(methods: ConfirmationMethods) => Promise<boolean>>(
  async () => false,
);

/**
 * Runs an action. If its user must first confirm who they are, asks for it, and then runs the action again. Null: they
 * do not want to.
 */
function useConfirmed() {
  const confirmIdentity = useContext(ConfirmIdentityContext);
  return async function confirmed<T>(action: () => Promise<Outcome<T>>): Promise<Outcome<T> | null> {
    const result = await action();
    if (!("error" in result) || !result.proof) return result;
    return (await confirmIdentity(result.proof)) ? action() : null;
  };
}

/**
 * Runs actions one at a time: a second one is ignored while one is running. `run` returns the action's result, or null
 * if it was refused or failed, or its user did not want to confirm who they are. Then `errors` has the reasons by the
 * fields of `form` that they concern; if it has none of these, `error` has the reason. `clear` takes it away, once a
 * person changes what it speaks of: that of one field, or all.
 *
 * The action gets its input, and the id of this press. After a lost response, or one that is not sure, pressing again
 * has the same id until something is edited: to an action that is declared `once`, the two are one request.
 */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const running = useRef(false);
  const request = useRef<string | null>(null);
  const confirmed = useConfirmed();
  const pressed = useRef<Element | null>(null);
  const form = useRef<HTMLFormElement>(null);

  // A disabled button has lost the keyboard focus. One that was pressed before this effect first ran is still at work.
  useEffect(() => {
    const button = pressed.current;
    if (busy || running.current || !(button instanceof HTMLElement)) return;
    pressed.current = null;
    if (document.activeElement === document.body) button.focus();
  }, [busy]);

  function run<T>(work: () => Promise<Outcome<T>>): Promise<{ ok: T } | null>;
  function run<T>(action: (input: undefined, press: string) => Promise<Outcome<T>>): Promise<{ ok: T } | null>;
  function run<Input, T>(
    action: (input: Input, press: string) => Promise<Outcome<T>>,
    input: Input,
  ): Promise<{ ok: T } | null>;
  async function run<Input, T>(
    action: (input: Input, press: string) => Promise<Outcome<T>>,
    input?: Input,
  ): Promise<{ ok: T } | null> {
    if (running.current) return null;
    const id = request.current ?? randomId();
    clear();
    running.current = true;
    pressed.current = document.activeElement;
    setBusy(true);
    const result = await confirmed(() => action(input as Input, id)).catch(async (thrown): Promise<ActionFailure> => {
      return { error: await whyFailed(thrown), isUnsure: true };
    });
    if (result && "error" in result && result.isUnsure) request.current = id;
    running.current = false;
    setBusy(false);
    // Checked this way because an undefined `ok` is lost on the way here.
    if (result === null || !("error" in result)) return result;
    setFailure(result);
    const isThere = (field: string) => form.current?.querySelector(`[name="${field}"]:not([hidden], [type=hidden])`);
    setErrors(Object.fromEntries(Object.entries(result.fields ?? {}).filter(([field]) => isThere(field))));
    return null;
  }

  function clear(field?: string) {
    request.current = null;
    const others = Object.entries(errors).filter(([name]) => field !== undefined && name !== field);
    setErrors(Object.fromEntries(others));
    if (others.length === 0) setFailure(null);
  }

  const isAtField = Object.keys(errors).length > 0;
  return { run, busy, failure, errors, error: isAtField ? "" : (failure?.error ?? ""), clear, form };
}

/** A new id: 32 hex digits. Not `randomUUID`, which browsers offer on TLS only. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Says in a toast what was done, and offers to take it back, whatever is shown then; `undone` says that it was. */
export function useUndo() {
  const toast = useToast();
  return (text: string, takeBack: () => Promise<Outcome<unknown>>, undone: string) => {
    const undo = async () => {
      const result = await takeBack().catch(async (thrown) => ({ error: await whyFailed(thrown) }));
      toast({ text: "error" in result ? result.error : undone });
    };
    toast({ text, undo });
  };
}

/** Leaves this page. The promise is kept once the browser shows it again. */
export async function leaveFor(address: string): Promise<void> {
  window.location.assign(address);
  await new Promise((resolve) => addEventListener("pageshow", resolve, { once: true }));
}
