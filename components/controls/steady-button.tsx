"use client";

import {
  type ComponentProps,
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
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
  const steady = useSteady(ref ?? own);
  // A press that comes before the page's script would not be checked.
  const isHydrated = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
  return <Button {...props} {...steady} disabled={disabled || !isHydrated} />;
}

/** What a button gets to be steady. Before its time it is not `disabled`, because it would lose the keyboard focus. */
export function useSteady(button: RefObject<HTMLButtonElement | null>) {
  /** Since when it is there; infinite: it is not, because its dialog is closed. */
  const since = useRef(Number.POSITIVE_INFINITY);
  /** Where it was when it last moved. */
  const places = useRef<Places>({ onPage: [0, 0], inWindow: [0, 0] });
  const [isSteady, setSteady] = useState(false);

  function update() {
    const { current } = button;
    if (!current?.offsetWidth) since.current = Number.POSITIVE_INFINITY;
    else {
      const now = placesOf(current);
      const onPage = shift(places.current.onPage, now.onPage);
      const inWindow = shift(places.current.inWindow, now.inWindow);
      // So far that a pointer at rest may be on another one, as when the row above is gone.
      const isFar = (by: Vector) => Math.hypot(...by) > current.offsetHeight / 2;
      if (isFar(common(onPage, inWindow)) || since.current === Number.POSITIVE_INFINITY) since.current = pageTime();
      // It was scrolled: it goes on from there.
      if (isFar(onPage) || isFar(inWindow)) places.current = now;
    }
    setSteady(isPast(since.current) && isAtRest());
  }

  // What is drawn with it, as an error above it, may have moved it: it shows that at once.
  useLayoutEffect(update);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads what is current
  useEffect(() => {
    const unwatch = watchRest(update);
    // Also when the dialog opens that it is in, and when something above it grows, as details that are opened.
    const observer = new ResizeObserver(update);
    for (let at: Element | null = button.current; at; at = at.parentElement) observer.observe(at);
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

  return { ref: button, "aria-disabled": !isSteady || undefined, onClickCapture: check };
}

type Vector = [x: number, y: number];
type Places = Record<"onPage" | "inWindow", Vector>;

const shift = ([x, y]: Vector, [toX, toY]: Vector): Vector => [toX - x, toY - y];

/**
 * What moved it on the page and in the window alike. Scrolling never does: what stands on the page moves in the window
 * only, what sticks to the window on the page only, and what comes loose there one way each.
 */
function common([pageX, pageY]: Vector, [windowX, windowY]: Vector): Vector {
  const of = (a: number, b: number) => (a * b > 0 ? Math.min(Math.abs(a), Math.abs(b)) : 0);
  return [of(pageX, windowX), of(pageY, windowY)];
}

function placesOf(element: HTMLElement): Places {
  let [x, y] = [0, 0];
  for (let at: Element | null = element; at instanceof HTMLElement; at = at.offsetParent) {
    x += at.offsetLeft;
    y += at.offsetTop;
  }
  const { left, top } = element.getBoundingClientRect();
  return { onPage: [x, y], inWindow: [left, top] };
}

/** Whether the Enter key in a text field of the form pressed it. */
function isByEnter({ detail }: MouseEvent, button: HTMLButtonElement | null): boolean {
  const at = document.activeElement;
  const isField = at instanceof HTMLInputElement && at.type !== "checkbox" && at.type !== "radio";
  return detail === 0 && isField && at.form === button?.form;
}
