import { BUCKETS } from '@gatehouse/proto/buckets';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { Charge, ChargeSet, Denial } from '@gatehouse/proto/ratelimit';
import type { Connections } from '../connections.ts';
import { clientOf, identity, isCaller } from '../limit/identity.ts';
import { rateLimited } from '../limit/rate-limited.ts';
import type { RequestContext } from '../request-context.ts';
import type { Route, RouteBucket } from '../route.ts';
import { type BodyLimits, NO_BODY_LIMITS } from './body-keyed-limits.ts';
import { anonymous } from './identify.ts';

/**
 * Charges the request's buckets.
 *
 * @throws RateLimited
 */
export function limit(
  route: Route | undefined,
  context: RequestContext,
  caller: Caller,
  bodyLimits: BodyLimits,
  { limits }: Connections,
): Promise<void> | undefined {
  const sets = chargesOf(route, context, caller, bodyLimits);
  if (sets.length === 0) return undefined;
  const decision = limits.check(sets, context.requestId);
  return decision instanceof Promise ? decision.then(throwDenied) : throwDenied(decision);
}

/** Charges buckets before the caller is known; undefined if the request has no credential to identify. */
export type EarlyLimit = (context: RequestContext) => Promise<void> | undefined;

/**
 * Makes the function that charges a route's buckets while the caller is identified. Undefined if a bucket depends on the
 * caller, as the global one does, which is charged before all others (docs/decisions/identify-and-limit.md).
 */
export function earlyLimit(route: Route, connections: Connections): EarlyLimit | undefined {
  if (!route.global_exempt || route.buckets.some(isKeyedByCaller)) return undefined;
  return (context) => {
    if (context.credential === undefined) return undefined;
    const charged = Promise.try(limit, route, context, anonymous(context), NO_BODY_LIMITS, connections);
    charged.catch(() => undefined); // if the caller cannot be identified, nobody awaits it
    return charged as Promise<void>;
  };
}

function isKeyedByCaller(bucket: RouteBucket): boolean {
  const [name, choice] = typeof bucket === 'string' ? [bucket, undefined] : bucket;
  return BUCKETS[name].key.some((part) => isCaller(choice ?? part));
}

function throwDenied(denial: Denial | undefined): undefined {
  if (denial !== undefined) throw rateLimited(denial);
}

/**
 * The charges of a request in their order: the global bucket as one set, then all buckets of the route as another
 * (docs/rate-limits.md#global-bucket).
 */
export function chargesOf(
  route: Route | undefined,
  context: RequestContext,
  caller: Caller,
  bodyLimits: BodyLimits,
): ChargeSet[] {
  const sets: ChargeSet[] = [];
  if (!isGlobalExempt(route, context))
    sets.push({ charges: [{ bucket: 'global', identities: [clientOf(context, caller)] }] });
  const charges: Charge[] = [];
  if (route !== undefined)
    for (const bucket of route.buckets) addCharge(charges, bucket, context, caller, bodyLimits.email);
  for (const bucket of bodyLimits.buckets) addCharge(charges, bucket, context, caller, bodyLimits.email);
  if (charges.length > 0) sets.push({ charges });
  return sets;
}

/**
 * GET and HEAD without an Authorization header are exempt on any route (docs/rate-limits.md#global-exemptions); other
 * exemptions are in the route table.
 */
function isGlobalExempt(route: Route | undefined, { request, credential }: RequestContext): boolean {
  if (route?.global_exempt === true) return true;
  return credential === undefined && (request.method === 'GET' || request.method === 'HEAD');
}

function addCharge(
  charges: Charge[],
  bucket: RouteBucket,
  context: RequestContext,
  caller: Caller,
  email: string | undefined,
): void {
  const name = typeof bucket === 'string' ? bucket : bucket[0];
  const choice = typeof bucket === 'string' ? undefined : bucket[1];
  const identities: string[] = [];
  for (const part of BUCKETS[name].key) {
    const value = identity(choice ?? part, context, caller, email);
    if (value !== undefined) identities.push(value);
  }
  // Leaves out a bucket if the request does not name its whole key.
  if (identities.length === BUCKETS[name].key.length) charges.push({ bucket: name, identities });
}
