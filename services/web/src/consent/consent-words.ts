import { ApiError } from '../shared/api/api-error.ts';
import { errorText } from '../shared/api/error-text.ts';
import { BROKEN } from './broken.ts';

/** Error texts for a failed consent. */
export function consentErrorText(error: unknown): string {
  const code = error instanceof ApiError && error.status < 500 ? error.code : '';
  return WORDS[code] ?? errorText(error);
}

const WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(BROKEN).map(([code, { text }]) => [code, `This link does not work. ${text}`]),
  ),
  MISSING_PERMISSIONS: 'You may no longer do this in this guild. Reload the page to see what you may do.',
  MISSING_ACCESS: 'You are no longer in there. Reload the page to choose anew.',
  NOT_FOUND: 'This guild or group conversation no longer exists. Reload the page to choose anew.',
  NOT_A_BOT_APPLICATION: 'This application has no bot.',
};

/** Error texts about the chosen guild. Undefined for other errors. */
export function guildInWords(error: unknown): string | undefined {
  const isThere = error instanceof ApiError && error.code === 'BOT_ALREADY_IN_GUILD';
  return isThere ? 'The bot is in this guild already.' : undefined;
}
