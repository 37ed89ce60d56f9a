import { canonicalIp } from '@gatehouse/kit/net/client-ip';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Deps } from '../deps.ts';
import { isOperatorName } from '../operators/operator-form.ts';
import { findOperator } from '../store/operators.ts';
import { countedIdentity } from './counted-identity.ts';
import { byFingerprint, byId, byText } from './finders.ts';
import { gather } from './gather.ts';
import { result, type SearchResult } from './search-result.ts';

export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  readonly unavailable: readonly string[];
}

const MAX_IDENTITY = 512;
const MAX_RESULTS = 50;

/** Finds what a text may name: any ID, an address, a request, a fingerprint, an identity of limits, a name. */
export async function search(deps: Deps, q: string): Promise<SearchAnswer> {
  if (q === '') return { results: [], unavailable: [] };
  const { found, unavailable } = await gather(
    {
      ...(isSnowflake(q) && byId(deps.clients, q)),
      ...(isFingerprint(q) && byFingerprint(deps.clients, q)),
      ...(!isSnowflake(q) && !isIdentity(q) && byText(deps.clients, q)),
      operators: () => ofOperators(deps, q),
    },
    deps.log,
  );
  const lists: (readonly SearchResult[] | undefined)[] = Object.values(found);
  const results = [...ofForm(q), ...lists.flatMap((list) => list ?? [])];
  return { results: results.slice(0, MAX_RESULTS), unavailable };
}

/** What the text is by its form alone. */
function ofForm(q: string): SearchResult[] {
  const identity = countedIdentity(q);
  return [
    ...(isIdentity(q) ? [result('identity', identity, identity, 'what limits it')] : []),
    ...(canonicalIp(q) !== undefined
      ? [result('identity', identity, identity, 'what limits this address')]
      : []),
    ...(isRequestId(q) ? [result('request', q, `Request ${q}`, 'its log lines')] : []),
  ];
}

async function ofOperators({ db }: Deps, q: string): Promise<SearchResult[]> {
  const found = isOperatorName(q) ? await findOperator(db, q) : undefined;
  return found === undefined ? [] : [result('operator', found.name, found.name, `operator, ${found.role}`)];
}

function isFingerprint(q: string): boolean {
  return /^[0-9a-f]{16}$/i.test(q);
}

/** As in a charge: "account:1", "ip:192.0.2.1". */
function isIdentity(q: string): boolean {
  return /^[a-z_]{2,32}:[^\s:]\S*$/.test(q) && !/^https?:/.test(q) && Buffer.byteLength(q) <= MAX_IDENTITY;
}

/** As the edge makes them. Clients may send others. */
function isRequestId(q: string): boolean {
  return /^[0-9a-f]{24}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(q);
}
