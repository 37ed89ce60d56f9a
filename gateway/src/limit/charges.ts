import { BUCKETS } from '@gatehouse/proto/buckets';
import type { Charge, ChargeSet } from '@gatehouse/proto/ratelimit';
import type { RequestContext } from '../request-context.ts';
import type { Row, RowBucket } from '../route.ts';
import { clientOf, identity } from './identity.ts';

/**
 * What a request counts against, in the order of charging: the global bucket as a set of its own, then
 * the route's buckets as one (docs/rate-limits.md#global-bucket).
 */
export function chargesOf(row: Row | undefined, context: RequestContext): ChargeSet[] {
  const sets: ChargeSet[] = [];
  if (!isGlobalExempt(row, context))
    sets.push({ charges: [{ bucket: 'global', identities: [clientOf(context)] }] });
  const own = row === undefined ? [] : ownCharges(row, context);
  if (own.length > 0) sets.push({ charges: own });
  return sets;
}

/**
 * GET and HEAD without an Authorization header are exempt on any row (docs/rate-limits.md#global-exemptions);
 * other exemptions are in the route table.
 */
function isGlobalExempt(row: Row | undefined, { request, credential }: RequestContext): boolean {
  if (row?.global_exempt === true) return true;
  return credential === undefined && (request.method === 'GET' || request.method === 'HEAD');
}

function ownCharges(row: Row, context: RequestContext): Charge[] {
  const charges: Charge[] = [];
  for (const bucket of row.buckets) add(charges, bucket, context);
  for (const bucket of context.naming.buckets) add(charges, bucket, context);
  return charges;
}

function add(charges: Charge[], bucket: RowBucket, context: RequestContext): void {
  const name = typeof bucket === 'string' ? bucket : bucket[0];
  const choice = typeof bucket === 'string' ? undefined : bucket[1];
  const identities: string[] = [];
  for (const part of BUCKETS[name].key) {
    const one = identity(choice ?? part, context);
    if (one !== undefined) identities.push(one);
  }
  // A body that names no usable identity leaves that bucket out.
  if (identities.length === BUCKETS[name].key.length) charges.push({ bucket: name, identities });
}
