import type { Form } from '@gatehouse/kit/form';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { AllowedMentions } from '@gatehouse/proto/chat';
import { mentionsEveryone } from './mentions-everyone.ts';

const MAX_ITEMS = 100;
const KINDS = ['users', 'roles', 'everyone'];

export const MENTIONS_CONFLICT = 'PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER';

/** The mentions in a message's content that its allowed_mentions permit. */
export interface Mentions {
  /** Accounts in order of first mention. */
  readonly user_ids: readonly string[];
  readonly role_ids: readonly string[];
  readonly everyone: boolean;
}

/** Defaults: an account's message notifies all mentions, a webhook's message none. */
export const ALLOW_ALL: AllowedMentions = { parse: KINDS, users: [], roles: [] };
export const ALLOW_NONE: AllowedMentions = { parse: [], users: [], roles: [] };

/** Checks allowed_mentions (docs/guilds.md#mentions) and adds each violation to the form. */
export function checkAllowedMentions(form: Form, { parse, users, roles }: AllowedMentions): void {
  if (parse.length > 0 && users.length + roles.length > 0) {
    form.fail('allowed_mentions', MENTIONS_CONFLICT, 'parse cannot be used together with users or roles.');
  }
  for (const [index, kind] of parse.entries()) {
    if (!KINDS.includes(kind)) {
      form.fail(`allowed_mentions.parse.${index}`, 'INVALID_FORMAT', `Must be one of ${KINDS.join(', ')}.`);
    }
  }
  for (const [name, items] of Object.entries({ parse, users, roles })) {
    if (items.length > MAX_ITEMS) {
      form.fail(`allowed_mentions.${name}`, 'INVALID_FORMAT', `Must hold at most ${MAX_ITEMS} items.`);
    }
  }
}

/**
 * Finds the allowed mentions in a text: `<@id>` and `<@!id>`, `<@&id>` for roles, `@everyone` and `@here`. A list
 * allows only the IDs in it.
 */
export function findMentions(content: string, { parse, users, roles }: AllowedMentions): Mentions {
  if (!content.includes('@')) return { user_ids: [], role_ids: [], everyone: false };
  return {
    user_ids: keep(idsIn(content, /<@!?(\d{1,19})>/g), parse.includes('users'), users),
    role_ids: keep(idsIn(content, /<@&(\d{1,19})>/g), parse.includes('roles'), roles),
    everyone: parse.includes('everyone') && mentionsEveryone(content),
  };
}

function idsIn(content: string, pattern: RegExp): string[] {
  const ids = Array.from(content.matchAll(pattern), (match) => match[1] ?? '');
  return [...new Set(ids)].filter(isSnowflake);
}

function keep(found: string[], parsed: boolean, listed: readonly string[]): string[] {
  if (parsed) return found;
  return found.filter((id) => listed.includes(id));
}
