import { ApiError } from '../shared/api/api-error.ts';
import { errorText } from '../shared/api/error-text.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { linkErrors } from './link-error.ts';

/** The text of an error of a consent. */
export function consentErrorText(error: unknown): string {
  const code = error instanceof ApiError && error.status < 500 ? error.code : '';
  return consentTexts()[code] ?? errorText(error);
}

function consentTexts(): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(
      Object.entries(linkErrors()).map(([code, { text }]) => [
        code,
        i18n._('This link does not work. {reason}', { reason: text }),
      ]),
    ),
    MISSING_PERMISSIONS: i18n._(
      'You may no longer do this in this guild. Reload the page to see what you may do.',
    ),
    MISSING_ACCESS: i18n._('You are no longer a member there. Reload the page and choose again.'),
    NOT_FOUND: i18n._('This guild or group conversation no longer exists. Reload the page and choose again.'),
    NOT_A_BOT_APPLICATION: i18n._('This application has no bot.'),
  };
}

/** The text of an error about the chosen guild. Undefined for other errors. */
export function guildErrorText(error: unknown): string | undefined {
  const isInstalled = error instanceof ApiError && error.code === 'BOT_ALREADY_IN_GUILD';
  return isInstalled ? i18n._('The bot is in this guild already.') : undefined;
}
