"use client";

import {
  type ComponentProps,
  type MouseEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { Button } from "./button";
import { hasInput, isAtRest, isMeant, isPast, pageTime, watchRest } from "./rest";

interface Props extends Omit<ComponentProps<typeof Button>, "onClickCapture" | "ref"> {
  ref?: RefObject<HTMLButtonElement | null>;
}

/**
 * A button that gives something away, or destroys it: a press counts once the button, its page, the window and the
 * pointer have been as they are for half a second. One that comes earlier does nothing, and begins the time again. So
 * nobody presses what another page puts under the pointer or the fingers (double clickjacking).
 */
export function SteadyButton({ ref, disabled, ...props }: Props) {
  const own = useRef<HTMLButtonElement>(null);
  const button = ref ?? own;
  /** Since when it is there; infinite: it is not, because its dialog is closed. */
  const since = useRef(Number.POSITIVE_INFINITY);
  const [isSteady, setSteady] = useState(false);
  // A press that comes before the page's script would not be checked.
  const isHydrated = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );

  function update() {
    if (!button.current?.offsetWidth) since.current = Number.POSITIVE_INFINITY;
    else if (since.current === Number.POSITIVE_INFINITY) since.current = pageTime();
    setSteady(isPast(since.current) && isAtRest());
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads what is current
  useEffect(() => {
    const unwatch = watchRest(update);
    // Also when the dialog opens that it is in.
    const observer = new ResizeObserver(update);
    if (button.current) observer.observe(button.current);
    return () => {
      unwatch();
      observer.disconnect();
    };
  }, []);

  function check(event: MouseEvent) {
    const isAfterInput = isByEnter(event, button.current) && hasInput();
    update();
    const isInTime = isAfterInput || isPast(since.current);
    if (isMeant(event) && isInTime) return;
    event.preventDefault();
    event.stopPropagation();
    since.current = pageTime();
    setSteady(false);
  }

  // Later it is not disabled, because it would lose the keyboard focus.
  return (
    <Button
      {...props}
      ref={button}
      disabled={disabled || !isHydrated}
      aria-disabled={!isSteady || undefined}
      onClickCapture={check}
    />
  );
}

/** Whether the Enter key in a text field of the form pressed it. */
function isByEnter({ detail }: MouseEvent, button: HTMLButtonElement | null): boolean {
  const at = document.activeElement;
  const isField = at instanceof HTMLInputElement && at.type !== "checkbox" && at.type !== "radio";
  return detail === 0 && isField && at.form === button?.form;
}
