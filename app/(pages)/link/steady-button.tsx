"use client";

import { type ComponentProps, type MouseEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/controls/button";

/** Longer than between the two presses of a double click, and than between those of a game that makes people click. */
const STEADY_MS = 500;
const CHECK_MS = 100;

interface Props extends Omit<ComponentProps<typeof Button>, "onClickCapture"> {
  /** Whether a page may have opened this window, and chooses when it gets the focus. */
  isOpened?: boolean;
}

/**
 * A button that gives access: it can be pressed once its page and window have been as they are for half a second. Until
 * then a press does nothing, and begins the time again. So nobody presses what another page puts under the pointer
 * (double clickjacking).
 */
export function SteadyButton({ isOpened = false, disabled, ...props }: Props) {
  const [isMounted, setMounted] = useState(false);
  const [isSteady, setSteady] = useState(false);
  const begin = useRef(() => {});

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let place = placeOfWindow();
    begin.current = () => {
      place = placeOfWindow();
      setSteady(false);
      clearTimeout(timer);
      timer = setTimeout(() => setSteady(true), STEADY_MS);
    };
    const start = () => begin.current();
    const watch = setInterval(() => place !== placeOfWindow() && start(), CHECK_MS);
    const events = isOpened ? ["focus", "resize"] : ["resize"];
    for (const event of events) window.addEventListener(event, start);
    document.addEventListener("visibilitychange", start);
    setMounted(true);
    start();
    return () => {
      clearTimeout(timer);
      clearInterval(watch);
      for (const event of events) window.removeEventListener(event, start);
      document.removeEventListener("visibilitychange", start);
    };
  }, [isOpened]);

  function check(event: MouseEvent) {
    if (isSteady) return;
    event.preventDefault();
    event.stopPropagation();
    begin.current();
  }

  // Later it is not disabled, because it would lose the keyboard focus.
  return (
    <Button
      {...props}
      disabled={disabled || !isMounted}
      aria-disabled={!isSteady || undefined}
      onClickCapture={check}
    />
  );
}

const placeOfWindow = () => `${window.screenX} ${window.screenY}`;
