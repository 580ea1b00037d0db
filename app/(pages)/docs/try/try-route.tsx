"use client";

import { useId, useState } from "react";
import { Button } from "@/components/button";
import styles from "./try.module.css";
import { type TriedRoute, TryForm } from "./try-form";

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
