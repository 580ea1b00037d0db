import { importDocument } from "@/lib/files/import";
import { fromOurPage } from "../from-our-page";
import { bodyOf } from "../read-body";

/** Replaces everything that the user has stored by the document in the body, which is stored as it arrives. */
export const POST = fromOurPage(({ user, request }) => importDocument(user, bodyOf(request)));
