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
import { Button } from "./buttons";

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

/** Longer than between the two presses of a double click, and than between those of a game that makes people click. */
const REST_MS = 500;
const CHECK_MS = 100;
/** A page that did nothing for longer stood still: it showed nothing, and hears late of what was pressed meanwhile. */
const MAX_STEP_MS = 150;

let ranFor = 0;
let ranAt = performance.now();
/** Since when the page and its window are as they are, as `pageTime()`. */
let changedAt = 0;
/** Since when the window has the focus; null: it has not. */
let focusedAt: number | null = null;
/** Since when the mouse is over the page; null: it is elsewhere, or came before anybody looked. */
let arrivedAt: number | null = null;
/** The mouse came to a window that was at rest, so nobody put the window under it. */
let hasCome = false;
/** When a held key last repeated. */
let repeatedAt = Number.NEGATIVE_INFINITY;
/** Whether somebody has typed since the window got the focus. */
let isEdited = false;
/** What a pointer presses; null: nothing. */
let pressed: { isCalm: boolean } | null = null;
let place = "";
const listeners = new Set<() => void>();
let stop = () => {};

/** How long the page has run, in ms: the time of all that happens here. While it stands still, this does, too. */
function pageTime(): number {
  const now = performance.now();
  ranFor += Math.min(now - ranAt, MAX_STEP_MS);
  ranAt = now;
  return ranFor;
}

/** Whether this was so long ago that nobody can have meant what was there before. `since` is a `pageTime()`. */
const isPast = (since: number) => pageTime() - since >= REST_MS;

const isFocused = () => focusedAt !== null && isPast(focusedAt);

/** What another page can do to its window. Not the height of its page: on a phone, scrolling changes it. */
const placeOfWindow = () => [screenX, screenY, innerWidth, outerWidth, outerHeight].join(" ");

function isPageAtRest(): boolean {
  const current = placeOfWindow();
  if (current !== place) {
    change();
    // Not every system says that the pointer is no longer over a window that was moved away from it.
    arrivedAt = null;
  }
  place = current;
  return document.visibilityState === "visible" && isPast(changedAt);
}

function isPointerAtRest(): boolean {
  if (arrivedAt === null) return isFocused();
  return isPast(arrivedAt) || (hasCome && isFocused());
}

/** Whether a press would count now. */
const isAtRest = () => isPageAtRest() && isPointerAtRest();

/**
 * Whether this click is meant for what it is on: the page, its window and the pointer had been as they are for half a
 * second when it began. A key, or a program that presses for somebody, needs the focus for as long; a held key does not
 * count.
 */
export function isMeant({ detail }: { detail: number }): boolean {
  const isByPointer = detail > 0 && pressed !== null;
  const isCalm = isByPointer ? pressed?.isCalm === true : isFocused() && isPast(repeatedAt);
  pressed = null;
  return isCalm && isPageAtRest();
}

/** Whether somebody typed here, so that what has just come, as a dialog, is what the Enter key is meant for. */
const hasInput = () => isEdited;

/** Calls this whenever `isAtRest` may have changed. Returns how to end that. */
export function watchRest(listener: () => void): () => void {
  if (listeners.size === 0) stop = begin();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop();
  };
}

function begin(): () => void {
  const end = new AbortController();
  const on = <E extends Event>(target: EventTarget, types: string, act: (event: E) => void) => {
    for (const type of types.split(" "))
      target.addEventListener(type, (event) => act(event as E), {
        capture: true,
        passive: true,
        signal: end.signal,
      });
  };
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const onWindow = (type: string, act: () => void) =>
    on(window, type, ({ target }) => {
      if (target !== window) return;
      act();
      tell();
    });

  place = placeOfWindow();
  change();
  blur();
  // Some windows of other programs never say that they have the focus; a finger presses what it sees.
  if (document.hasFocus() || matchMedia("(hover: none)").matches) focus();

  on(document, "visibilitychange", () => {
    change();
    tell();
  });
  onWindow("pageshow", () => {
    change();
    // Coming back to a page need not say so.
    if (focusedAt === null && document.hasFocus()) focus();
  });
  onWindow("resize", () => {});
  onWindow("focus", focus);
  onWindow("blur", blur);
  on<PointerEvent>(window, "pointerover pointermove", ({ pointerType }) => pointerType === "mouse" && arrive());
  on(document.documentElement, "pointerleave", ({ target }) => {
    if (target === document.documentElement) arrivedAt = null;
  });
  on(window, "pointerdown", press);
  on(window, "input", () => {
    isEdited = true;
  });
  on<KeyboardEvent>(window, "keydown", ({ repeat }) => {
    if (repeat) repeatedAt = pageTime();
    seeInput();
  });
  const timer = setInterval(() => {
    pageTime();
    tell();
  }, CHECK_MS);
  return () => {
    clearInterval(timer);
    end.abort();
  };
}

function change(): void {
  changedAt = pageTime();
  isEdited = false;
}

/** A pointer that was over the page for long before it gave the window the focus stays where it was. */
function focus(): void {
  if (focusedAt !== null || arrivedAt === null || !isPast(arrivedAt)) arrivedAt = null;
  focusedAt = pageTime();
  isEdited = false;
}

/** Another window may now cover this one: whether the pointer is over it, it says when it moves. */
function blur(): void {
  focusedAt = null;
  arrivedAt = null;
  isEdited = false;
}

function arrive(): void {
  if (arrivedAt !== null) return;
  hasCome = isFocused() && isPageAtRest();
  arrivedAt = pageTime();
}

function press({ pointerType }: PointerEvent): void {
  if (pointerType === "mouse") arrive();
  pressed = { isCalm: pointerType === "mouse" ? isPointerAtRest() : isFocused() };
  seeInput();
}

/** Whatever it says: a window that is pressed, or typed in, is in front. */
function seeInput(): void {
  focusedAt ??= pageTime();
}
