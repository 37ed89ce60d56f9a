import type { Route } from '@gatehouse/gateway/route';

interface Tag {
  readonly name: string;
  readonly description: string;
}

const ACCOUNTS = { name: 'Accounts', description: 'Accounts, their sessions, second factors and users.' };
const OAUTH2 = { name: 'OAuth2', description: 'Consent, tokens and what access tokens may read.' };
const APPLICATIONS = { name: 'Applications', description: 'Applications, their secrets and their bots.' };
const GATEWAY = { name: 'Gateway', description: 'The address of the real-time Gateway.' };
const GUILDS = { name: 'Guilds', description: 'Guilds, roles, members, invites and the audit log.' };
const CHANNELS = { name: 'Channels', description: 'Channels, private channels, overwrites and messages.' };
const WEBHOOKS = {
  name: 'Webhooks',
  description: 'Webhooks, and the messages that are posted by their URLs.',
};

/** The tags in the order of the document. */
export const TAGS: readonly Tag[] = [ACCOUNTS, OAUTH2, APPLICATIONS, GUILDS, CHANNELS, WEBHOOKS, GATEWAY];

/** The tag of the first pattern that matches. */
const PATTERNS: readonly (readonly [RegExp, Tag])[] = [
  [/^\/gateway/, GATEWAY],
  [/webhooks/, WEBHOOKS],
  [/^\/(oauth2\/)?applications/, APPLICATIONS],
  [/^\/oauth2/, OAUTH2],
  [/^\/guilds\/\{guild_id\}\/channels/, CHANNELS],
  [/^\/users\/@me\/channels/, CHANNELS],
  [/^\/channels\/\{channel_id\}\/invites/, GUILDS],
  [/^\/(guilds|invites|users\/@me\/guilds)/, GUILDS],
  [/^\/channels/, CHANNELS],
  [/^\/(auth|users)/, ACCOUNTS],
];

/** @throws Error for a path without a tag */
export function tagOf({ path }: Route): string {
  const found = PATTERNS.find(([pattern]) => pattern.test(path));
  if (found === undefined) throw new Error(`${path}: scripts/openapi/tags.ts has no tag for it`);
  return found[1].name;
}
