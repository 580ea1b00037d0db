import { consolePage, consoleTitle } from "../console-page";
import { AllUsers } from "./all-users";
import { OneUser } from "./one-user";

export const generateMetadata = () => consoleTitle("Users");

/** One user if the address names one, otherwise all of them. Never a token or an address. */
export default consolePage("Users", async (query, admin) => {
  const name = query.user?.trim();
  return name ? <OneUser admin={admin} name={name} query={query} /> : <AllUsers query={query} />;
});
