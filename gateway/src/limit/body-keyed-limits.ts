import { messageSchema } from '@gatehouse/kit/json';
import type { CurrentUser } from '@gatehouse/proto/auth';
import { BUCKETS } from '@gatehouse/proto/buckets';
import { messageName } from '../message-name.ts';
import type { RequestContext } from '../request-context.ts';
import type { Row } from '../route.ts';
import type { Connections } from '../services.ts';
import { refusal } from '../steps/authorize.ts';
import type { BodyReader } from '../steps/read-body.ts';
import { jsonBody } from '../steps/request.ts';
import { isHidden } from './identity.ts';

const ACCOUNT_TIMEOUT_MS = 2_000;
const REFUSED_BYTES = 64 * 1024;

type Step = (context: RequestContext) => Promise<void>;
type Body = Readonly<Record<string, unknown>>;

/**
 * Makes the step that finds out what a request counts against beyond its head: it reads the body
 * (docs/conventions.md#body-before-limits), and asks for the caller's account where the row has to compare.
 * Undefined for the rows whose head says it all.
 *
 * Of whomever the row will refuse anyway no more is read than a body on the /auth routes may have: a
 * longer one counts by its head, and is not waited for.
 */
export function namer(
  row: Row,
  readBody: BodyReader | undefined,
  connections: Connections,
): Step | undefined {
  if (!isLimitedByBody(row)) return undefined;
  const membersOf = memberReader(row);
  const emailOf = row.email_of ?? (isKeyedByEmail(row) ? 'body' : undefined);
  const refusedBytes = Math.min(row.body_limit_bytes, REFUSED_BYTES);
  /** Too long for those who are refused, where it would not be for others: 401 or 403 is what they are told. */
  const ignored = (error: unknown): undefined => {
    if (row.body_limit_bytes <= REFUSED_BYTES) throw error;
  };

  return async (context) => {
    const refused = refusal(row, context.caller) !== undefined;
    if (refused) await readBody?.(context, refusedBytes).catch(ignored);
    else await readBody?.(context);
    const body = objectOf(context);
    const members = membersOf?.(body) ?? [];
    const compares = members.some((member) => row.changed_members.includes(member));
    const asks = !refused && (compares || emailOf === 'account');
    const account = asks ? await accountOf(context, connections) : undefined;
    const counted = members.filter((member) => isCounted(row, member, body, account));
    context.naming = {
      email: emailOf === 'account' ? (account?.email ?? undefined) : textOf(body.email),
      buckets: counted.flatMap((member) => row.member_buckets[member] ?? []),
    };
  };
}

/** Whether what the body names, or the account's address, adds to what a request counts against. */
export function isLimitedByBody(row: Row): boolean {
  return Object.keys(row.member_buckets).length > 0 || row.email_of !== undefined || isKeyedByEmail(row);
}

function isKeyedByEmail({ buckets }: Row): boolean {
  return buckets.some((bucket) =>
    BUCKETS[typeof bucket === 'string' ? bucket : bucket[0]].key.some(isHidden),
  );
}

/** Finds the members that add buckets and that a body holds, each of its type. */
function memberReader(row: Row): ((body: Body) => string[]) | undefined {
  const members = Object.keys(row.member_buckets);
  if (members.length === 0) return undefined;
  const { fields } = messageSchema(messageName(row, 'Request'));
  const objects = new Set(fields.filter(({ kind }) => kind === 'json').map(({ name }) => name));
  return (body) =>
    members.filter((member) => {
      const value = Object.hasOwn(body, member) ? body[member] : undefined;
      if (objects.has(member)) return typeof value === 'object' && value !== null && !Array.isArray(value);
      return typeof value === 'string';
    });
}

/** What names a new value counts; what names the present one does not. Blanks around it are no value. */
function isCounted(row: Row, member: string, body: Body, account: CurrentUser | undefined): boolean {
  if (!row.changed_members.includes(member)) return true;
  const present = account?.[member as keyof CurrentUser];
  return textOf(body[member])?.trim() !== present;
}

/** The form of a body is judged after the limits: until then one that is no object has no members. */
function objectOf(context: RequestContext): Body {
  if (context.long !== undefined) return context.long.members;
  if (context.body === undefined) return {};
  try {
    return jsonBody(context);
  } catch {
    return {};
  }
}

async function accountOf(
  { caller, requestId }: RequestContext,
  { auth }: Connections,
): Promise<CurrentUser | undefined> {
  const { user } = await auth.client.getCurrentUser({}, { timeoutMs: ACCOUNT_TIMEOUT_MS, caller, requestId });
  return user ?? undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
