import type { AuditAction } from "@/lib/audit";

/** Every action. A record, so that none can be forgotten. */
const ACTIONS: Record<AuditAction, true> = {
  "key.create": true,
  "key.update": true,
  "key.add": true,
  "key.revoke": true,
  "key.delete": true,
  "link.ask": true,
  "link.enter": true,
  "link.approve": true,
  "link.deny": true,
  "link.allow": true,
  "link.disallow": true,
  "link.collect": true,
  "link.repeat": true,
  "link.look": true,
  "link.contest": true,
  "link.refuse": true,
  "link.end": true,
  "network.block": true,
  "network.unblock": true,
  "token.rotate": true,
  "token.create": true,
  "token.use": true,
  "token.revoke": true,
  "account.delete": true,
  "keys.lost": true,
  "token.reveal": true,
  "user.create": true,
  "user.role": true,
  "user.disable": true,
  "user.enable": true,
  "user.password": true,
  "passkey.add": true,
  "passkey.remove": true,
  "passkey.refuse": true,
  "provider.connect": true,
  "provider.disconnect": true,
  "user.quota": true,
  "user.delete": true,
  "user.confirm": true,
  "user.signin": true,
  "user.signout": true,
  "recovery.link": true,
  "recovery.email": true,
  "recovery.codes": true,
  "recovery.use": true,
  "email.add": true,
  "email.verify": true,
  "email.remove": true,
  "invitation.create": true,
  "invitation.use": true,
  "files.import": true,
  "secrets.rotate": true,
  "identities.claim": true,
  "backup.create": true,
  "backup.restore": true,
  "doctor.run": true,
  "console.refuse": true,
  "proxy.unnamed": true,
};

export const AUDIT_ACTIONS = Object.keys(ACTIONS) as AuditAction[];

/** What actions are about: the part of their names before the dot. */
export const AUDIT_GROUPS = [...new Set(AUDIT_ACTIONS.map((action) => action.replace(/\..*$/, "")))];

/** The actions of a group, or the action of this name. None: there is neither. */
export function actionsNamed(name: string): AuditAction[] {
  return AUDIT_ACTIONS.filter((action) => action === name || action.startsWith(`${name}.`));
}
