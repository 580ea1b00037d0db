"use client";

import { type ComponentProps, createContext, type ReactNode, useContext, useId, useState } from "react";
import { Button } from "@/components/buttons";
import { Form } from "@/components/form";
import { Actions } from "@/components/page";
import styles from "@/components/page.module.css";
import type { SteadyButton } from "@/components/steady-button";
import { useToast } from "@/components/toast";
import type { Outcome } from "./action";
import { ErrorNotice } from "./error-notice";
import { useAction } from "./use-action";

export interface Work<Input, Result> {
  action: (input: Input, press: string) => Promise<Outcome<Result>>;
  /** What a toast says once it is done; empty: nothing. */
  done?: string | ((result: Result) => string);
  /** Called once it is done. The action is at work until the promise is kept that this may return (`leaveFor`). */
  onDone?: (result: Result) => unknown;
}

/** The text of a form's field; of a box, empty if it is not ticked. */
export type FieldText = (field: string) => string;

/** Of several actions of a page, one runs at a time. */
function useGroup(problem = "") {
  const { run, error, ...state } = useAction();
  const toast = useToast();
  const [pressed, setPressed] = useState("");
  const [earlier, setEarlier] = useState(problem);

  /** `button`: the id of the one that was pressed; empty for that of the form. */
  function start<Input, Result>({ action, done, onDone }: Work<Input, Result>, input: Input, button = "") {
    if (state.busy) return;
    setPressed(button);
    setEarlier("");
    void run(async (_: undefined, press: string) => {
      const outcome = await action(input, press);
      if ("error" in outcome) return outcome;
      const text = typeof done === "function" ? done(outcome.ok) : done;
      if (text) toast({ text });
      await onDone?.(outcome.ok);
      return outcome;
    });
  }
  return { ...state, error: error || earlier, pressed, start };
}

type Group = ReturnType<typeof useGroup> & { isRow?: boolean };

const GroupContext = createContext<Group | null>(null);

function useGroupHere(): Group {
  const group = useContext(GroupContext);
  if (!group) throw new Error("This stands in an ActionForm or ActionGroup.");
  return group;
}

/** Around buttons one of whose actions runs at a time. `problem`: an error from before the page was there. */
export function ActionGroup({ problem, children }: { problem?: string; children: ReactNode }) {
  return <GroupContext value={useGroup(problem)}>{children}</GroupContext>;
}

/** Why the last action failed, unless a field says it. */
export function ActionError() {
  return <ErrorNotice error={useGroupHere().error} />;
}

export interface ActionFormProps<Input, Result> extends Work<Input, Result> {
  /** What the action gets beside the fields; or makes its input of them. */
  input?: NoInfer<Partial<Input>> | ((text: FieldText) => NoInfer<Input>);
  /** An error from before the page was there. */
  problem?: string;
  /** A refusal is about all fields, wherever it stands. */
  isAboutAll?: boolean;
  /** Its fields are beside one another, and the button. */
  isRow?: boolean;
  className?: string;
  children: ReactNode;
}

/**
 * A form whose button (`Submit`) runs an action. What is wrong stands at the field that it is about, which gets the
 * focus; otherwise above the button. What is filled in stays.
 */
export function ActionForm<Input, Result>(props: ActionFormProps<Input, Result>) {
  const { input, problem, isAboutAll, isRow, className = isRow ? styles.row : "stack", children, ...work } = props;
  const group = useGroup(problem);
  const { form, failure, errors, clear, start } = group;
  return (
    <GroupContext value={{ ...group, isRow }}>
      <Form
        ref={form}
        onSubmit={(fields) => start(work, inputOf<Input>(input, fields))}
        failure={failure}
        errors={errors}
        isAboutAll={isAboutAll}
        onEdit={clear}
        className={className}
      >
        {children}
      </Form>
      {isRow && <ActionError />}
    </GroupContext>
  );
}

const textIn =
  (fields: FormData): FieldText =>
  (field) =>
    String(fields.get(field) ?? "");

function inputOf<Input>(input: Partial<Input> | ((text: FieldText) => Input) | undefined, fields: FormData): Input {
  if (typeof input === "function") return (input as (text: FieldText) => Input)(textIn(fields));
  const all = { ...Object.fromEntries(fields), ...input };
  return (Object.keys(all).length > 0 ? all : undefined) as Input;
}

interface ButtonProps extends Omit<ComponentProps<typeof SteadyButton>, "onClick" | "type" | "loading"> {
  /** What it is; `SteadyButton` for what gives something away, or destroys it. */
  as?: typeof Button | typeof SteadyButton;
}

export interface SubmitProps extends ButtonProps {
  /** Leaves the form. With it, there is a button for that. */
  cancel?: () => void;
}

/** The button that sends the form around it, with what is wrong. */
export function Submit({ as: Pressed = Button, cancel, disabled, ...props }: SubmitProps) {
  const { busy, pressed, isRow } = useGroupHere();
  const isOther = busy && pressed !== "";
  const button = <Pressed type="submit" {...props} loading={busy && !isOther} disabled={disabled || isOther} />;
  if (isRow) return button;
  return (
    <>
      <ActionError />
      <Actions>
        {button}
        {cancel && (
          <Button variant="default" size={props.size} onClick={cancel}>
            Cancel
          </Button>
        )}
      </Actions>
    </>
  );
}

interface ActionButtonProps<Input, Result> extends Work<Input, Result>, ButtonProps {
  /** What the action gets; or makes it of the fields of the form around the button. */
  input?: NoInfer<Input> | ((text: FieldText) => NoInfer<Input>);
}

/** A button that runs an action. In no form and no group, it says by itself what is wrong. */
export function ActionButton<Input, Result>(props: ActionButtonProps<Input, Result>) {
  const isInGroup = useContext(GroupContext) !== null;
  if (isInGroup) return <PressedButton {...props} />;
  return (
    <ActionGroup>
      <ActionError />
      <PressedButton {...props} />
    </ActionGroup>
  );
}

function PressedButton<Input, Result>(props: ActionButtonProps<Input, Result>) {
  const { as: Pressed = Button, action, input, done, onDone, disabled, ...button } = props;
  const { busy, pressed, start, form } = useGroupHere();
  const id = useId();
  const isOther = busy && pressed !== id;

  function press() {
    const fields = new FormData(form.current ?? undefined);
    const given = typeof input === "function" ? (input as (text: FieldText) => Input)(textIn(fields)) : input;
    start({ action, done, onDone }, given as Input, id);
  }

  return (
    <Pressed variant="default" {...button} onClick={press} loading={busy && !isOther} disabled={disabled || isOther} />
  );
}
