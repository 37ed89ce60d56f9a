import type { EmbedAuthorInput, EmbedInput } from '@gatehouse/proto/chat';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import { cut } from '../execution/cut.ts';
import { type JsonObject, linkAt, textAt } from '../execution/json-object.ts';
import type { Rendering } from '../execution/rendering.ts';
import { beginningOf, lineOf } from './text.ts';

const TITLE_LIMIT = 70;
/** For ordinary pushes, check runs and check suites. */
export const LONG_TITLE_LIMIT = EMBED_LIMITS.title;
export const DESCRIPTION_LIMIT = 350;

/** The parts of an event's embed. */
export interface EventParts {
  readonly title: string | undefined;
  readonly title_limit?: number;
  readonly url?: string | undefined;
  readonly color?: number;
  readonly description?: string | undefined;
  readonly author?: EmbedAuthorInput | undefined;
}

/** The embed of an event, cut to its limits. Undefined without a title. */
export function eventEmbed({ title, title_limit = TITLE_LIMIT, ...rest }: EventParts): Rendering<EmbedInput> {
  if (title === undefined) return { nothing: 'incomplete' };
  const message = {
    title: cut(title, title_limit),
    description: cut(beginningOf(rest.description ?? ''), DESCRIPTION_LIMIT) || null,
    url: rest.url ?? null,
    color: rest.color ?? null,
    author: rest.author ?? null,
    fields: [],
  };
  return { message };
}

/** A template tag for titles, which are one line. Undefined if a slot is empty. */
export function titleLine(
  texts: TemplateStringsArray,
  ...slots: readonly (string | number | undefined)[]
): string | undefined {
  let line = texts[0] ?? '';
  for (const [index, slot] of slots.entries()) {
    const text = typeof slot === 'string' ? lineOf(slot) : slot;
    if (text === undefined || text === '') return undefined;
    line += `${text}${texts[index + 1] ?? ''}`;
  }
  return line.trim();
}

/** The full name of the payload's repository, such as owner/name. */
export function fullNameOf(payload: JsonObject): string | undefined {
  return textAt(payload, 'repository', 'full_name');
}

/** A user of the code host as the author of an embed. Undefined for a deleted account. */
export function authorAt(from: unknown, member: string): EmbedAuthorInput | undefined {
  const name = cut(lineOf(textAt(from, member, 'login') ?? '').trim(), EMBED_LIMITS.author_name);
  if (name === '') return undefined;
  return {
    name,
    url: linkAt(from, member, 'html_url') ?? null,
    icon_url: linkAt(from, member, 'avatar_url') ?? null,
  };
}
