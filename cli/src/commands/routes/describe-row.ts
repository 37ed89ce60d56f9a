import type { Route, RouteBucket } from '@gatehouse/gateway/route';
import { messageName } from '@gatehouse/gateway/service-definitions';
import { messageSchema } from '@gatehouse/kit/json';
import { BUCKETS } from '@gatehouse/proto/buckets';

export interface BucketFacts {
  readonly name: string;
  readonly limit: number;
  readonly window_seconds: number;
  /** What it counts, such as ["account", "channel"]. */
  readonly by: readonly string[];
}

/** What a member of the body adds to the route's buckets. */
export interface MemberFacts {
  readonly member: string;
  /** Only with another value than the account has. */
  readonly changed: boolean;
  /** Only if it is a list of two or more besides the caller. */
  readonly several: boolean;
  readonly buckets: readonly BucketFacts[];
}

/** A row of the route table as plain data, with what follows from it. */
export interface RowFacts {
  readonly verb: string;
  readonly path: string;
  readonly service: string;
  readonly rpc: string;
  readonly access: Route['access'];
  /** What an access token needs that may call; null: none may. */
  readonly scope: string | null;
  readonly buckets: readonly BucketFacts[];
  readonly member_buckets: readonly MemberFacts[];
  /** By the row; GET and HEAD without an Authorization header are exempt on any row. */
  readonly global_exempt: boolean;
  readonly body: 'none' | 'json' | 'optional_json' | 'bytes';
  /** null: it takes no body. */
  readonly body_limit_bytes: number | null;
  /** The statuses of success. */
  readonly status: readonly number[];
  /** Of an answer that is no JSON. */
  readonly content_type: string | null;
  /** Of an answer that is always the same text. */
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
    const { status, content_type = null, body: text = null } = row.reply(emptyResponse(row));
    return { status: [status], content_type, text };
  }
  if (row.status === 204) return { status: [204], content_type: null, text: null };
  const { fields } = messageSchema(messageName(row, 'Response'));
  const mayBeAbsent = fields.find(({ name }) => name === row.answer)?.optional === true;
  return { status: mayBeAbsent ? [200, 204] : [200], content_type: null, text: null };
}

function emptyResponse(row: Route): unknown {
  return row.method.responseType.decode(new Uint8Array());
}
