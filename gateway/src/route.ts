import type { MethodDefinition, RequestOf, ResponseOf } from '@gatehouse/kit/rpc';
import type { CurrentUser } from '@gatehouse/proto/auth';
import type { BUCKETS, BucketName } from '@gatehouse/proto/buckets';
import type { ServiceName, Services } from './service-definitions.ts';

const MiB = 1024 * 1024;

type MethodOf<S extends ServiceName> = keyof Services[S]['methods'] & string;
type Method<S extends ServiceName, M extends MethodOf<S>> = Extract<
  Services[S]['methods'][M],
  MethodDefinition
>;
type Request<S extends ServiceName, M extends MethodOf<S>> = RequestOf<Method<S, M>>;
type Response<S extends ServiceName, M extends MethodOf<S>> = ResponseOf<Method<S, M>>;

/** The `{parameters}` of a path. */
type ParamOf<Path extends string> = Path extends `${string}{${infer Param}}${infer Rest}`
  ? Param | ParamOf<Rest>
  : never;

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Line = `${Verb} /${string}`;

/**
 * Who may call: anyone; a user session; a session or a bot; a bot alone. Bots and access tokens may call
 * only what says so in its row (docs/credentials.md#bots, docs/credentials.md#access-tokens).
 */
export type Who = 'public' | 'user' | 'user_or_bot' | 'bot';

/** What an access token may have been granted that opens an operation (docs/oauth2.md#scopes). */
export type Scope = 'identify' | 'guilds' | 'connections';

/** What counts for a bucket whose key has alternatives ("Client, IP or account"): the row says which. */
export type KeyChoice = 'client' | 'ip' | 'account';
type BucketOfChoice = {
  [B in BucketName]: 'client_ip_or_account' extends (typeof BUCKETS)[B]['key'][number] ? B : never;
}[BucketName];
export type RowBucket = Exclude<BucketName, BucketOfChoice> | readonly [BucketOfChoice, KeyChoice];

/** Buckets by the member of the body that adds them. */
export type MemberBuckets<Member extends string = string> = {
  readonly [M in Member]?: readonly RowBucket[];
};

export interface RowOptions<S extends ServiceName, M extends MethodOf<S>> {
  readonly who: Who;
  /** Access tokens with this scope may call too. */
  readonly scope?: Scope;
  /** The route's own buckets, charged as one set. */
  readonly buckets: readonly RowBucket[];
  /** Buckets that members of the body add to that set, if they have the right type; a list, if it names several others. */
  readonly member_buckets?: MemberBuckets<keyof Request<S, M> & string>;
  /** Those of the members that count only when they differ from the caller's account. */
  readonly changed_members?: readonly (keyof Request<S, M> & keyof CurrentUser & string)[];
  /** Whose email address counts in buckets that are keyed by one: the body's `email` unless given. */
  readonly email_of?: 'account';
  /** Does not count against the global bucket (docs/rate-limits.md#global-exemptions). */
  readonly global_exempt?: true;
  /** Query parameters and the fields they fill, which have their names. */
  readonly query?: readonly (keyof Request<S, M> & string)[];
  /** The field that takes the whole query as it came, undecoded. */
  readonly raw_query?: keyof Request<S, M> & string;
  /** Headers, in lower case, and the fields they fill. */
  readonly headers?: Readonly<Record<string, keyof Request<S, M> & string>>;
  /**
   * `json`: an object, whose members fill the remaining fields; `optional_json`: the same, or nothing.
   * Otherwise the field that takes the bytes.
   */
  readonly body?: 'json' | 'optional_json' | { readonly bytes: keyof Request<S, M> & string };
  /** 1 MiB unless given. */
  readonly body_limit_bytes?: number;
  /**
   * An RPC that judges the credential in the path, before more than 64 KiB of a body are read. Its request is made of
   * the path's parameters.
   */
  readonly check_before_long_body?: MethodOf<S>;
  /** The response's field that is the answer's body; the whole response unless given. */
  readonly answer?: keyof Response<S, M> & string;
  /** 200 unless given. 204 has no body. */
  readonly status?: 204;
  /** Makes an answer that is not the JSON of a message. */
  readonly reply?: (response: Response<S, M>) => Answer;
  /** Headers of every answer, errors too. */
  readonly answer_headers?: Readonly<Record<string, string>>;
}

/** An answer as it leaves the edge. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content_type?: string;
  readonly body?: string;
}

/** A row of the route table, once the compiler has accepted it. */
export interface Row
  extends Omit<
    RowOptions<ServiceName, never>,
    | 'query'
    | 'raw_query'
    | 'headers'
    | 'body'
    | 'body_limit_bytes'
    | 'answer'
    | 'reply'
    | 'check_before_long_body'
    | 'member_buckets'
    | 'changed_members'
  > {
  readonly verb: Verb;
  /** Below /api/v1, with parameters in braces. */
  readonly path: string;
  readonly params: readonly string[];
  readonly service: ServiceName;
  readonly rpc: string;
  readonly query: readonly string[];
  readonly raw_query: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: 'none' | 'json' | 'optional_json' | { readonly bytes: string };
  readonly body_limit_bytes: number;
  readonly answer: string | undefined;
  readonly reply: ((response: unknown) => Answer) | undefined;
  readonly check_before_long_body: string | undefined;
  readonly member_buckets: Readonly<Record<string, readonly RowBucket[]>>;
  readonly changed_members: readonly string[];
}

/**
 * Writes a row. It does not compile when the service has no such RPC, when a path parameter is not a
 * field of its request, or when a bucket is not in the reference.
 */
export function route<const L extends Line, S extends ServiceName, M extends MethodOf<S>>(
  line: ParamOf<L> extends keyof Request<S, M> ? L : never,
  service: S,
  rpc: M,
  options: RowOptions<S, M>,
): Row {
  const [verb, path] = (line as string).split(' ') as [Verb, string];
  const {
    query = [],
    raw_query,
    headers = {},
    body = 'none',
    body_limit_bytes = MiB,
    answer,
    reply,
    check_before_long_body,
  } = options;
  const { member_buckets = {}, changed_members = [] } = options;
  return {
    ...options,
    verb,
    path,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    service,
    rpc,
    query,
    raw_query,
    headers,
    body,
    body_limit_bytes,
    answer,
    reply: reply as Row['reply'],
    check_before_long_body,
    member_buckets,
    changed_members,
  };
}
