import { randomBytes } from 'node:crypto';

const NAME_PART_MAX = 12; // 32 less "_" and the 19 digits of the longest ID

/**
 * A bot's user name: what user names allow of the application's name, then the application's ID,
 * which no other bot has.
 */
export function botUsername(name: string, application_id: string): string {
  const readable = name
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^A-Za-z0-9_.]+/g, '_')
    .slice(0, NAME_PART_MAX)
    .replace(/^_+|_+$/g, '');
  return `${readable === '' ? 'bot' : readable}_${application_id}`;
}

/** For the day that a person foresaw a bot's ID and took the name above. */
export function spareBotUsername(): string {
  return `bot_${randomBytes(14).toString('hex')}`;
}
