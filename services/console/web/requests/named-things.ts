import type { LinkedKind } from '../parts/hrefs.ts';

/** What a log line is about. */
export interface NamedThing {
  readonly text: string;
  /** The page of the thing. Without one, only its name is shown. */
  readonly link: { readonly kind: LinkedKind; readonly id: string } | undefined;
}

const LINKED = ['webhook', 'account', 'application', 'guild'] as const satisfies readonly LinkedKind[];
const NAMED = ['bucket', 'channel_id'] as const;
const ID = /^[0-9]{1,20}$/;

/** The things that the members of a log line name: a webhook, an account, an application, a guild, a bucket, a channel. */
export function namedThings(line: unknown): NamedThing[] {
  if (typeof line !== 'object' || line === null) return [];
  const members = new Map<string, unknown>(Object.entries(line));
  const linked = LINKED.flatMap((kind) => {
    const id = members.get(`${kind}_id`);
    return typeof id === 'string' && ID.test(id) ? [{ text: `${kind} ${id}`, link: { kind, id } }] : [];
  });
  const named = NAMED.flatMap((name) => {
    const value = members.get(name);
    if (typeof value !== 'string' || value === '') return [];
    return [{ text: `${name.replace(/_id$/, '')} ${value}`, link: undefined }];
  });
  return [...linked, ...named];
}
