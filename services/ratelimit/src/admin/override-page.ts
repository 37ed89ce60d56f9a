import { badPage } from '../errors.ts';
import { byExpiry, type Override, type Position } from '../overrides/override.ts';

/**
 * The overrides after a position, in the order of `byExpiry`, and the position of the next page.
 *
 * @throws BAD_PAGE
 */
export function overridePage(
  overrides: readonly Override[],
  after: string | null | undefined,
  limit: number,
): { readonly page: readonly Override[]; readonly next: string | undefined } {
  const position = after === null || after === undefined ? undefined : readPosition(after);
  const sorted = [...overrides].sort(byExpiry);
  const from = position === undefined ? 0 : sorted.findIndex((override) => byExpiry(override, position) > 0);
  const rest = from < 0 ? [] : sorted.slice(from);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return { page, next: last === undefined || rest.length <= limit ? undefined : textOf(last) };
}

function textOf({ expires_at_ms, identity, bucket }: Position): string {
  return Buffer.from(JSON.stringify([expires_at_ms, identity, bucket ?? ''])).toString('base64url');
}

function readPosition(text: string): Position {
  const [expires_at_ms, identity, bucket] = parse(text);
  if (typeof expires_at_ms !== 'number' || typeof identity !== 'string' || typeof bucket !== 'string')
    throw badPage('after', 'This is not the end of a page.');
  return { expires_at_ms, identity, bucket: bucket === '' ? undefined : bucket };
}

function parse(text: string): readonly unknown[] {
  try {
    const position: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(position) ? position : [];
  } catch {
    return [];
  }
}
