import type { Scope } from '../../shared/scopes.ts';

/** The scopes, described for developers (docs/oauth2.md#scopes). */
export const SCOPE_DESCRIPTIONS: Readonly<Record<Scope, string>> = {
  identify: 'Who the user is: ID and display name.',
  email: 'Also the e-mail address. It needs identify.',
  guilds: 'The guilds that the user is in, and their roles.',
  connections: 'Accounts on other services that the user connected.',
  bot: 'Installs the bot into a guild or a group DM. It adds nothing to an access token.',
};

/** Whether the flow ends with a code to exchange, and so needs a redirect URI. */
export function needsRedirect(scopes: ReadonlySet<Scope>, bot_require_code_grant: boolean): boolean {
  return bot_require_code_grant || [...scopes].some((scope) => scope !== 'bot');
}
