"use client";

import { Button } from "@/components/buttons";
import { Dialog } from "@/components/dialog";
import { PasswordField } from "@/components/form";
import { IconFingerprint } from "@/components/icons";
import { Actions } from "@/components/page";
import { SteadyButton } from "@/components/steady-button";
import type { ConfirmationMethods } from "@/lib/accounts/ways-in/confirm";
import { durationInWords, PROOF_MS } from "@/lib/platform/bounds";
import type { Outcome } from "../action";
import { ActionButton, ActionError, ActionForm, Submit } from "../action-form";
import { confirmWithPassword } from "./identity-actions";
import { confirmWithPasskey, useCanPasskeys } from "./passkeys";
import { goToProvider } from "./sign-in";

// A page's action can only be called at a page that has it. All pages have this dialog, so these outlast their page.
export { mayReplace } from "./identity-actions";

export interface IdentityDialogProps {
  methods: ConfirmationMethods;
  /** Called with whether they confirmed. */
  onAnswer: (confirmed: boolean) => void;
}

/** Asks for a passkey or the password. Somebody with neither signs in with their provider again. */
export function IdentityDialog({ methods, onAnswer }: IdentityDialogProps) {
  const canPasskeys = useCanPasskeys();
  const { username, password, providers } = methods;
  const passkey = methods.passkey && canPasskeys;

  const [confirmed, cancel] = [() => onAnswer(true), () => onAnswer(false)];
  return (
    <Dialog onClose={cancel} title="Confirm it's you">
      <ActionForm action={confirmWithPassword} input={(text) => text("current")} onDone={confirmed}>
        <p>{whatToDo(methods, canPasskeys)}</p>
        <p className="small">
          This stops someone who finds your browser open. It can't stop someone who talks you into confirming something,
          such as a code. If anyone asked you to do this, cancel.
        </p>
        {passkey && (
          <ActionButton
            as={SteadyButton}
            variant="filled"
            fullWidth
            leftSection={<IconFingerprint size={18} />}
            action={confirmWithPasskey}
            onDone={confirmed}
          >
            Use a passkey
          </ActionButton>
        )}
        {providers.map(({ id, name }) => (
          <ActionButton
            key={id}
            as={SteadyButton}
            variant="filled"
            fullWidth
            action={() => signInAgain(id)}
            onDone={confirmed}
          >
            {`Sign in with ${name} again`}
          </ActionButton>
        ))}
        {password ? (
          <>
            <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
            <PasswordField label="Your password" name="current" autoComplete="current-password" />
            <Submit as={SteadyButton} variant={passkey ? "default" : "filled"} cancel={cancel}>
              Confirm
            </Submit>
          </>
        ) : (
          <>
            <ActionError />
            <Actions>
              <Button variant="default" onClick={cancel}>
                Cancel
              </Button>
            </Actions>
          </>
        )}
      </ActionForm>
    </Dialog>
  );
}

const FIRST = `To protect your account, we ask again after ${durationInWords(PROOF_MS / 1_000)}.`;

function whatToDo({ passkey, password, providers }: ConfirmationMethods, canPasskeys: boolean): string {
  if (passkey && password && canPasskeys) return `${FIRST} Use a passkey or your password to continue.`;
  if (passkey && canPasskeys) return `${FIRST} Use a passkey to continue.`;
  if (password) return `${FIRST} Enter your password to continue.`;
  if (passkey) return `${FIRST} This browser can't use your passkey: continue in another one.`;
  if (providers.length > 0) return `${FIRST} Sign in again. You'll then come back to this page and can try again.`;
  return `${FIRST} You have no passkey or password here. Ask the operator of this service for a link to set one.`;
}

/** Leaves this page, and comes back to it with a new session. */
function signInAgain(provider: string): Promise<Outcome<void>> {
  return goToProvider(provider, `${window.location.pathname}${window.location.search}`);
}
