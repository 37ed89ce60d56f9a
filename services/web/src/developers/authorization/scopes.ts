import { i18n } from '../../shared/i18n/i18n.ts';
import type { Scope } from '../../shared/scopes.ts';

/** A scope, described for developers (docs/oauth2.md#scopes). */
export function scopeDescription(scope: Scope): string {
  switch (scope) {
    case 'identify':
      return i18n._('Who the user is: ID and display name.');
    case 'email':
      return i18n._('Also the e-mail address. It needs identify.');
    case 'guilds':
      return i18n._('The guilds that the user is in, and their roles.');
    case 'connections':
      return i18n._('Accounts on other services that the user connected.');
    case 'bot':
      return i18n._('Installs the bot into a guild or a group DM. It adds nothing to an access token.');
  }
}

/** Whether the flow ends with a code to exchange, and so needs a redirect URI. */
export function needsRedirect(scopes: ReadonlySet<Scope>, bot_require_code_grant: boolean): boolean {
  return bot_require_code_grant || [...scopes].some((scope) => scope !== 'bot');
}
