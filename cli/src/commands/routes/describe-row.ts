import type { Route, RouteBucket } from '@gatehouse/gateway/route';
import { messageName } from '@gatehouse/gateway/service-definitions';
import { messageSchema } from '@gatehouse/kit/json';
import { BUCKETS } from '@gatehouse/proto/buckets';

export interface BucketFacts {
  readonly name: string;
  readonly limit: number;
  readonly window_seconds: number;
  /** The parts of its key, such as ["account", "channel"]. */
  readonly by: readonly string[];
}

/** Buckets that a member of the body adds to those of the route. */
export interface MemberFacts {
  readonly member: string;
  /** Only if the value differs from that of the account. */
  readonly changed: boolean;
  /** Only if the list has two or more items other than the caller. */
  readonly several: boolean;
  readonly buckets: readonly BucketFacts[];
}

/** A route as plain data, with derived members. */
export interface RowFacts {
  readonly verb: string;
  readonly path: string;
  readonly service: string;
  readonly rpc: string;
  readonly access: Route['access'];
  /** The scope that an access token needs; null: no access token may call. */
  readonly scope: string | null;
  readonly buckets: readonly BucketFacts[];
  readonly member_buckets: readonly MemberFacts[];
  /** GET and HEAD without an Authorization header are exempt on every route. */
  readonly global_exempt: boolean;
  readonly body: 'none' | 'json' | 'optional_json' | 'bytes';
  /** null: the route takes no body. */
  readonly body_limit_bytes: number | null;
  /** The statuses of success. */
  readonly status: readonly number[];
  /** The content type of a response that is not JSON. */
  readonly content_type: string | null;
  /** The text of a constant response. */
  readonly text: string | null;
}

export function describeRow(row: Route): RowFacts {
  const { verb, path, service, rpc, access, scope = null } = row;
  return {
    verb,
    path,
    service,
    rpc,
    access,
    scope,
    buckets: row.buckets.map((bucket) => describeBucket(bucket, row)),
    member_buckets: Object.entries(row.member_buckets).map(([member, buckets]) => ({
      member,
      changed: row.changed_members.includes(member),
      several: isList(row, member),
      buckets: buckets.map((bucket) => describeBucket(bucket, row)),
    })),
    global_exempt: row.global_exempt === true,
    body: typeof row.body === 'object' ? 'bytes' : row.body,
    body_limit_bytes: row.body === 'none' ? null : row.body_limit_bytes,
    ...successOf(row),
  };
}

function isList(row: Route, member: string): boolean {
  return messageSchema(messageName(row, 'Request')).fields.some(
    ({ name, repeated }) => name === member && repeated,
  );
}

function describeBucket(bucket: RouteBucket, { email_of }: Route): BucketFacts {
  const [name, choice] = typeof bucket === 'string' ? [bucket, undefined] : bucket;
  const { limit, window_seconds, key } = BUCKETS[name];
  const by = key.map((part) => {
    if (part === 'email' && email_of === 'account') return "the account's email";
    return (choice ?? part).replaceAll('_', ' ');
  });
  return { name, limit, window_seconds, by };
}

function successOf(row: Route): Pick<RowFacts, 'status' | 'content_type' | 'text'> {
  if (row.reply !== undefined) {
    const { status, content_type = null, body } = row.reply(emptyResponse(row));
    return { status: [status], content_type, text: typeof body === 'string' ? body : null };
  }
  if (row.status === 204) return { status: [204], content_type: null, text: null };
  const { fields } = messageSchema(messageName(row, 'Response'));
  const mayBeAbsent = fields.find(({ name }) => name === row.answer)?.optional === true;
  return { status: mayBeAbsent ? [200, 204] : [200], content_type: null, text: null };
}

function emptyResponse(row: Route): unknown {
  return row.method.responseType.decode(new Uint8Array());
}
