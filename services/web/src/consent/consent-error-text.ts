import { ApiError } from '../shared/api/api-error.ts';
import { errorText } from '../shared/api/error-text.ts';
import { LINK_ERRORS } from './link-error.ts';

/** The text of an error of a consent. */
export function consentErrorText(error: unknown): string {
  const code = error instanceof ApiError && error.status < 500 ? error.code : '';
  return CONSENT_TEXTS[code] ?? errorText(error);
}

const CONSENT_TEXTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(LINK_ERRORS).map(([code, { text }]) => [code, `This link does not work. ${text}`]),
  ),
  MISSING_PERMISSIONS: 'You may no longer do this in this guild. Reload the page to see what you may do.',
  MISSING_ACCESS: 'You are no longer a member there. Reload the page and choose again.',
  NOT_FOUND: 'This guild or group conversation no longer exists. Reload the page and choose again.',
  NOT_A_BOT_APPLICATION: 'This application has no bot.',
};

/** The text of an error about the chosen guild. Undefined for other errors. */
export function guildErrorText(error: unknown): string | undefined {
  const isInstalled = error instanceof ApiError && error.code === 'BOT_ALREADY_IN_GUILD';
  return isInstalled ? 'The bot is in this guild already.' : undefined;
}
