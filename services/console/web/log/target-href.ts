import { hrefOf, type LinkedKind } from '../parts/hrefs.ts';

const KINDS: readonly string[] = ['account', 'application', 'webhook', 'guild'] satisfies LinkedKind[];

/** The page of an action's target, such as "account:123"; undefined if it has none. */
export function targetHref(target: string): string | undefined {
  const [, kind = '', id = ''] = /^([a-z]+):(.+)$/s.exec(target) ?? [];
  if (KINDS.includes(kind)) return hrefOf(kind as LinkedKind, id);
  // "limit:IDENTITY in BUCKET"
  if (kind === 'limit') return hrefOf('identity', id.replace(/ in [^ ]+$/, ''));
  if (kind === 'job') return '/jobs';
  return kind === 'operator' ? '/operators' : undefined;
}
