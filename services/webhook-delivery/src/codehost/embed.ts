import type { EmbedAuthorInput, EmbedInput } from '@gatehouse/proto/chat';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import { cut } from '../execution/cut.ts';
import { storable } from '../execution/storable.ts';
import { linkAt, textAt } from '../execution/untyped.ts';

const TITLE_LIMIT = 70;
/** Of ordinary pushes, check runs and check suites. */
export const LONG_TITLE_LIMIT = EMBED_LIMITS.title;
const DESCRIPTION_LIMIT = 350;

export interface Rendering {
  readonly title: string | undefined;
  readonly title_limit?: number;
  readonly url?: string | undefined;
  readonly color?: number;
  readonly description?: string | undefined;
  readonly author?: EmbedAuthorInput | undefined;
}

/** The embed of an event, cut to its limits; undefined without a title. */
export function embed({ title, title_limit = TITLE_LIMIT, ...rest }: Rendering): EmbedInput | undefined {
  const heading = storable(cut(title?.trim() ?? '', title_limit));
  if (heading === undefined) return undefined;
  return {
    title: heading,
    description: storable(cut(rest.description ?? '', DESCRIPTION_LIMIT)) ?? null,
    url: rest.url ?? null,
    color: rest.color ?? null,
    author: rest.author ?? null,
    fields: [],
  };
}

/** A template tag for titles: undefined when one of the slots is. */
export function title(
  texts: TemplateStringsArray,
  ...slots: readonly (string | number | undefined)[]
): string | undefined {
  if (slots.includes(undefined)) return undefined;
  return String.raw({ raw: texts }, ...slots);
}

/** A user of the code host as the author of an embed. */
export function author(from: unknown, ...path: readonly string[]): EmbedAuthorInput | undefined {
  const login = textAt(from, ...path, 'login')?.trim() ?? '';
  const name = storable(cut(login, EMBED_LIMITS.author_name));
  if (name === undefined) return undefined;
  return {
    name,
    url: linkAt(from, ...path, 'html_url') ?? null,
    icon_url: linkAt(from, ...path, 'avatar_url') ?? null,
  };
}

/** The first seven digits of a commit's ID, as code. */
export function shortSha(sha: string | undefined): string | undefined {
  return sha === undefined ? undefined : `\`${Array.from(sha.slice(0, 14)).slice(0, 7).join('')}\``;
}

/** A Markdown link. */
export function markdownLink(label: string, url: string): string {
  return `[${label}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}
