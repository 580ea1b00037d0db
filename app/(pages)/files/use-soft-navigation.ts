import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { isPage } from "@/lib/platform/http/pages";

/** What is used here of the browser's Navigation API, which TypeScript does not know yet. */
interface NavigateEvent extends Event {
  navigationType: "push" | "replace" | "reload" | "traverse";
  destination: { url: string; sameDocument: boolean };
  userInitiated: boolean;
  downloadRequest: string | null;
  formData: FormData | null;
}

/**
 * While `isOn`, links to our pages change the page within this document: a new document would end what runs in this
 * one. Browsers without the Navigation API load it, after the question of `beforeunload`.
 */
export function useSoftNavigation(isOn: boolean): void {
  const router = useRouter();
  useEffect(() => {
    const navigation = Reflect.get(window, "navigation") as EventTarget | undefined;
    if (!isOn || !navigation) return;
    let last = "";
    const soften = (event: Event) => {
      const { navigationType, destination, userInitiated, downloadRequest, formData, cancelable } =
        event as NavigateEvent;
      const { origin, pathname, search, hash, href } = new URL(destination.url);
      if (destination.sameDocument || navigationType === "reload" || navigationType === "traverse") return;
      if (!cancelable || formData || downloadRequest !== null) return;
      if (origin !== window.location.origin || !isPage(pathname)) return;
      // Scripts go to a key that they created. Elsewhere they go because a session begins or ends, which the head must
      // show, or are Next's own, because it could not change the page.
      if (!userInitiated && (!pathname.startsWith("/keys") || href === last)) return;
      event.preventDefault();
      last = href;
      router.push(pathname + search + hash);
    };
    navigation.addEventListener("navigate", soften);
    return () => navigation.removeEventListener("navigate", soften);
  }, [isOn, router]);
}
