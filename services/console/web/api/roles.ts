/** What operators may do, each role more than the one before. */
export const ROLES = ['read', 'support', 'admin'] as const;

export type Role = (typeof ROLES)[number];

export const ROLE_TEXTS: Readonly<Record<Role, string>> = {
  read: 'Read: looks at everything, changes nothing',
  support: 'Support: accounts, webhooks and limits of single people',
  admin: 'Admin: everything, also operators',
};

/** The actions of the server's registry and the lowest role that may take each. */
export const LOWEST_ROLES = {
  'account.suspend': 'support',
  'account.restore': 'support',
  'account.end-sessions': 'support',
  'account.reset-factors': 'support',
  'account.revoke-grants': 'admin',
  'application.disable': 'admin',
  'application.enable': 'admin',
  'webhook.disable': 'support',
  'webhook.enable': 'support',
  'guild.disable': 'admin',
  'guild.enable': 'admin',
  'limit.reset': 'support',
  'limit.override': 'admin',
  'limit.remove-override': 'admin',
  'job.run': 'admin',
  'operator.add': 'admin',
  'operator.update': 'admin',
  'operator.remove': 'admin',
} as const satisfies Readonly<Record<string, Role>>;

export type ActionName = keyof typeof LOWEST_ROLES;

/** Whether the role may take the action. The server decides; the pages offer only what it accepts. */
export function roleMay(role: Role, action: ActionName): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(LOWEST_ROLES[action]);
}
