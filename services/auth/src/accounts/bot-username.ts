import { randomBytes } from 'node:crypto';

const NAME_PART_MAX = 12; // 32 minus "_" and the 19 digits of the longest ID

/** A bot's user name: the allowed characters of the application's name, and the application's ID. */
export function botUsername(name: string, application_id: string): string {
  const readable = name
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^A-Za-z0-9_.]+/g, '_')
    .slice(0, NAME_PART_MAX)
    .replace(/^_+|_+$/g, '');
  return `${readable === '' ? 'bot' : readable}_${application_id}`;
}

/** For a bot whose `botUsername` is taken: a person may have guessed its ID and registered the name. */
export function fallbackBotUsername(): string {
  return `bot_${randomBytes(14).toString('hex')}`;
}
