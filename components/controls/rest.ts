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
export function pageTime(): number {
  const now = performance.now();
  ranFor += Math.min(now - ranAt, MAX_STEP_MS);
  ranAt = now;
  return ranFor;
}

/** Whether this was so long ago that nobody can have meant what was there before. `since` is a `pageTime()`. */
export const isPast = (since: number) => pageTime() - since >= REST_MS;

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
export const isAtRest = () => isPageAtRest() && isPointerAtRest();

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
export const hasInput = () => isEdited;

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
