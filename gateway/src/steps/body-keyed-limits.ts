import { digitsOf, messageSchema } from '@gatehouse/kit/json';
import type { CurrentUser } from '@gatehouse/proto/auth';
import { BUCKETS } from '@gatehouse/proto/buckets';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { Connections } from '../connections.ts';
import { isPersonal } from '../limit/identity.ts';
import type { Route, RouteBucket } from '../route.ts';
import { messageName } from '../service-definitions.ts';
import { refusal } from './authorize.ts';

/** The part of a route's limits that comes from the body or the caller's account. */
export interface BodyLimits {
  /** The email address or login name for buckets that are keyed by one. */
  readonly email: string | undefined;
  /** Further buckets, charged with the route's own. */
  readonly buckets: readonly RouteBucket[];
}

export const NO_BODY_LIMITS: BodyLimits = { email: undefined, buckets: [] };

/** The members of a JSON body. */
type Members = Readonly<Record<string, unknown>>;

export type BodyLimitsReader = (members: Members, caller: Caller, requestId: string) => Promise<BodyLimits>;

const ACCOUNT_TIMEOUT_MS = 2_000;

/** Whether a route's limits depend on the body, or on an address that only the caller's account has. */
export function isLimitedByBody(route: Route): boolean {
  return (
    Object.keys(route.member_buckets).length > 0 || route.email_of !== undefined || isKeyedByEmail(route)
  );
}

function isKeyedByEmail({ buckets }: Route): boolean {
  return buckets.some((bucket) =>
    BUCKETS[typeof bucket === 'string' ? bucket : bucket[0]].key.some(isPersonal),
  );
}

/**
 * Makes the function that finds the limits that a body adds (docs/conventions.md#body-before-limits). It loads the
 * caller's account from auth only if the route needs it and admits the caller.
 */
export function bodyLimitsReader(route: Route, { auth }: Connections): BodyLimitsReader {
  const membersOf = memberReader(route);
  const emailOf = route.email_of ?? (isKeyedByEmail(route) ? 'body' : undefined);

  return async (body, caller, requestId) => {
    const members = membersOf?.(body, caller) ?? [];
    const needsAccount =
      emailOf === 'account' || members.some((name) => route.changed_members.includes(name));
    const account =
      needsAccount && refusal(route, caller) === undefined ? await accountOf(caller, requestId) : undefined;
    const counted = members.filter((member) => isCounted(route, member, body, account));
    return {
      email: emailOf === 'account' ? (account?.email ?? undefined) : textOf(body.email),
      buckets: counted.flatMap((member) => route.member_buckets[member] ?? []),
    };
  };

  async function accountOf(caller: Caller, requestId: string): Promise<CurrentUser | undefined> {
    const options = { timeoutMs: ACCOUNT_TIMEOUT_MS, caller, requestId };
    const { user } = await auth.client.getCurrentUser({}, options);
    return user ?? undefined;
  }
}

/**
 * Finds the members of a body that add buckets. A member of the wrong type adds none, and neither does a list with fewer
 * than two accounts besides the caller's.
 */
function memberReader(route: Route): ((body: Members, caller: Caller) => string[]) | undefined {
  const members = Object.keys(route.member_buckets);
  if (members.length === 0) return undefined;
  const { fields } = messageSchema(messageName(route, 'Request'));
  const objects = new Set(fields.filter(({ kind }) => kind === 'json').map(({ name }) => name));
  const lists = new Set(fields.filter(({ repeated }) => repeated).map(({ name }) => name));
  return (body, caller) =>
    members.filter((member) => {
      const value = Object.hasOwn(body, member) ? body[member] : undefined;
      if (lists.has(member)) return namesSeveral(value, caller);
      if (objects.has(member)) return typeof value === 'object' && value !== null && !Array.isArray(value);
      return typeof value === 'string';
    });
}

/** Whether a list names two or more accounts besides the caller's. */
function namesSeveral(value: unknown, { account_id }: Caller): boolean {
  if (!Array.isArray(value)) return false;
  const ids = value.map((id) => textOf(id) ?? digitsOf(id)); // the body's reader accepts both too
  return new Set(ids.filter((id) => id !== undefined && id !== account_id)).size > 1;
}

/** Some members count only if they differ from the account. Surrounding whitespace makes no difference. */
function isCounted(route: Route, member: string, body: Members, account: CurrentUser | undefined): boolean {
  if (!route.changed_members.includes(member)) return true;
  const current = account?.[member as keyof CurrentUser];
  return textOf(body[member])?.trim() !== current;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
