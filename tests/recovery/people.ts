// Run in its own process: node --import tsx tests/recovery/people.ts <count>
// Makes so many users of each kind, and prints the attempts with which a stranger tries to tell them apart.

import { createRecoveryCodes, newRecoveryCode } from "@/lib/accounts/recovery/codes";
import { setDisabled } from "@/lib/accounts/role";
import { closeDatabase } from "@/lib/platform/db/client";
import { newNetwork } from "@/tests/support/request";
import { makeUsers, newUsername, signedIn } from "@/tests/support/user";

const count = Number(process.argv[2]);
const [withCodes, without, disabled] = [await makeUsers(count), await makeUsers(count), await makeUsers(count)];
const attempts: { kind: string; username: string; code: string }[] = [];
for (const user of [...withCodes, ...disabled])
  await createRecoveryCodes(await signedIn(user), "", { network: newNetwork() });
for (const { username } of disabled) await setDisabled(username, { disabled: true });
for (const [kind, users] of Object.entries({ "a user with codes": withCodes, "without codes": without, disabled }))
  attempts.push(...users.map(({ username }) => ({ kind, username, code: newRecoveryCode() })));
for (let n = 0; n < count; n++) attempts.push({ kind: "nobody", username: newUsername(), code: newRecoveryCode() });
process.stdout.write(JSON.stringify(attempts));
await closeDatabase();
