import type { GrantConsentRequest } from '@gatehouse/proto/oauth2';
import { formDecoded } from './form-encoding.ts';

/** A client's `state`, with exactly the bytes that it sent (docs/oauth2.md#state). */
export function stateOf({
  state,
  raw_state,
}: Pick<GrantConsentRequest, 'state' | 'raw_state'>): string | Uint8Array | undefined {
  return raw_state == null ? (state ?? undefined) : formDecoded(raw_state);
}

/** The raw value of `state` in a query, still encoded. Undefined if it is missing or repeated. */
export function rawState(query: string): string | undefined {
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '' && new URLSearchParams(`?${pair}`).has('state'));
  const [pair] = pairs;
  if (pairs.length !== 1 || pair === undefined) return undefined;
  const at = pair.indexOf('=');
  return at < 0 ? undefined : pair.slice(at + 1);
}
