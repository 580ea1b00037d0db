import type { Metadata } from "next";
import type { SearchParams } from "../../next-path";
import { consolePage, consoleTitle } from "../console-page";
import { pageParameters } from "../console-request";
import { AllUsers } from "./all-users";
import { OneUser } from "./one-user";

export const generateMetadata = (): Promise<Metadata> => consoleTitle("Users");

/** One user if the address names one, otherwise all of them. Never a token or an address. */
export default async function UsersPage({ searchParams }: { searchParams: SearchParams }) {
  return consolePage({
    section: "Users",
    title: "Users",
    show: async (admin) => {
      const parameters = await pageParameters(searchParams);
      const name = parameters.user?.trim();
      return name ? (
        <OneUser admin={admin} name={name} parameters={parameters} />
      ) : (
        <AllUsers parameters={parameters} />
      );
    },
  });
}
