"use client";

import { type ComponentProps, lazy } from "react";

// What follows when a code was entered: its scripts come only then, so the first page stays small. Without a fallback,
// React shows the step before until they are there.

const ConfirmRequest = lazy(async () => ({ default: (await import("./confirm-request")).ConfirmRequest }));
const ConfirmSite = lazy(async () => ({ default: (await import("./confirm-site")).ConfirmSite }));
const PendingPrograms = lazy(async () => ({ default: (await import("./pending-programs")).PendingPrograms }));
const RevokeAccess = lazy(async () => ({ default: (await import("./revoke-access")).RevokeAccess }));

/** What a user compares and decides about a program that showed letters. */
export const ConfirmRequestStep = (props: ComponentProps<typeof ConfirmRequest>) => <ConfirmRequest {...props} />;

/** The same about the site that opened the window. */
export const ConfirmSiteStep = (props: ComponentProps<typeof ConfirmSite>) => <ConfirmSite {...props} />;

/** The same about programs that want the token of a request that was approved. */
export const PendingProgramsStep = (props: ComponentProps<typeof PendingPrograms>) => <PendingPrograms {...props} />;

/** The way back for a user who did not mean to link. */
export const RevokeAccessStep = (props: ComponentProps<typeof RevokeAccess>) => <RevokeAccess {...props} />;
