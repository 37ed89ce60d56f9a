import type { MethodDefinition, RequestOf, ResponseOf } from '@gatehouse/kit/rpc';
import type { CurrentUser } from '@gatehouse/proto/auth';
import type { BUCKETS, BucketName } from '@gatehouse/proto/buckets';
import { type Endpoint, endpointOf } from './service-definitions.ts';

const MiB = 1024 * 1024;

/** The `{parameters}` of a path. */
type ParamOf<Path extends string> = Path extends `${string}{${infer Param}}${infer Rest}`
  ? Param | ParamOf<Rest>
  : never;

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type RouteLine = `${Verb} /${string}`;

/**
 * The callers that a route accepts: anyone; a user session; a session or a bot; a bot alone. Bots and access tokens may
 * call a route only if it says so (docs/credentials.md#bots, docs/credentials.md#access-tokens).
 */
export type Access = 'public' | 'user' | 'user_or_bot' | 'bot';

/** A scope of an access token that opens a route (docs/oauth2.md#scopes). */
export type Scope = 'identify' | 'guilds' | 'connections';

/** The identity that a bucket with a choice of keys ("Client, IP or account") counts by. */
export type KeyChoice = 'client' | 'ip' | 'account';
type BucketOfChoice = {
  [B in BucketName]: 'client_ip_or_account' extends (typeof BUCKETS)[B]['key'][number] ? B : never;
}[BucketName];
export type RouteBucket = Exclude<BucketName, BucketOfChoice> | readonly [BucketOfChoice, KeyChoice];

/** Buckets by the member of the body that adds them. */
export type MemberBuckets<Member extends string = string> = {
  readonly [M in Member]?: readonly RouteBucket[];
};

/**
 * A use of the sign-in cookie (docs/credentials.md#sign-in-cookie): its session is the caller; the answer sets it, to
 * the response's `cookie`; the answer clears it; or it fills the request's `secret`, and the answer may renew it.
 */
export type CookieUse = 'identifies' | 'sets' | 'clears' | 'resumes';

export interface RouteOptions<M extends MethodDefinition> {
  readonly access: Access;
  /** Access tokens with this scope may call too. */
  readonly scope?: Scope;
  /** The route's own buckets, charged as one set. */
  readonly buckets: readonly RouteBucket[];
  /**
   * Buckets that members of the body add to that set. A member counts if it has the right type; a list of accounts, if it
   * names two or more besides the caller.
   */
  readonly member_buckets?: MemberBuckets<keyof RequestOf<M> & string>;
  /** Members that add their buckets only if they differ from the caller's account. */
  readonly changed_members?: readonly (keyof RequestOf<M> & keyof CurrentUser & string)[];
  /** The source of the address for buckets that are keyed by one: the body's `email` by default. */
  readonly email_of?: 'account';
  /** Does not count against the global bucket (docs/rate-limits.md#global-exemptions). */
  readonly global_exempt?: true;
  /** Query parameters. Each fills the field of its name. */
  readonly query?: readonly (keyof RequestOf<M> & string)[];
  /** The field for the token of the Authorization header. */
  readonly token?: keyof RequestOf<M> & string;
  /** The use of the sign-in cookie; all other routes ignore it. */
  readonly cookie?: CookieUse;
  /** The field for the whole query string, undecoded. */
  readonly raw_query?: keyof RequestOf<M> & string;
  /** Headers, in lower case, and the fields that they fill. */
  readonly headers?: Readonly<Record<string, keyof RequestOf<M> & string>>;
  /**
   * `json`: an object, whose members fill the remaining fields; `optional_json`: the same, or an empty body.
   * Otherwise the field for the bytes.
   */
  readonly body?: 'json' | 'optional_json' | { readonly bytes: keyof RequestOf<M> & string };
  /** 1 MiB by default. */
  readonly body_limit_bytes?: number;
  /** An RPC that checks the credential in the path before the edge reads more than 64 KiB of a body. */
  readonly check_before_long_body?: MethodDefinition;
  /** The response's field to answer with; the whole response by default. */
  readonly answer?: keyof ResponseOf<M> & string;
  /**
   * The service writes the answer's JSON: the request has `as_json`, and the response a field of bytes with `json_of`
   * (proto/kit/v1/json.proto).
   */
  readonly as_json?: true;
  /** 200 by default. 204 has no body. */
  readonly status?: 204;
  /** Makes an answer other than the JSON of a message. */
  readonly reply?: (response: ResponseOf<M>) => Answer;
  /** RFC 6749 or a standard that refers to it defines the route: `OAUTH2_ERRORS` sets the form of its errors. */
  readonly oauth2_errors?: true;
  /** The format of an execution, under which its refusals are reported to the webhook's managers. */
  readonly dialect?: 'webhook' | 'chatcompat' | 'codehost' | 'statuspage';
  /** Headers of every answer, errors included. */
  readonly answer_headers?: Readonly<Record<string, string>>;
}

/** An answer, without the headers that every answer has. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content_type?: string;
  readonly body?: string | Uint8Array;
}

/** The options that a route keeps as they are. */
type KeptOptions = Pick<
  RouteOptions<MethodDefinition>,
  | 'access'
  | 'scope'
  | 'buckets'
  | 'email_of'
  | 'global_exempt'
  | 'status'
  | 'answer_headers'
  | 'as_json'
  | 'oauth2_errors'
  | 'cookie'
  | 'dialect'
>;

/** A row of the route table. */
export interface Route extends Endpoint, KeptOptions {
  readonly verb: Verb;
  /** Below /api/v1, with parameters in braces. */
  readonly path: string;
  readonly params: readonly string[];
  readonly query: readonly string[];
  readonly raw_query: string | undefined;
  readonly token: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: 'none' | 'json' | 'optional_json' | { readonly bytes: string };
  readonly body_limit_bytes: number;
  readonly answer: string | undefined;
  readonly reply: ((response: unknown) => Answer) | undefined;
  readonly check_before_long_body: Endpoint | undefined;
  readonly member_buckets: Readonly<Record<string, readonly RouteBucket[]>>;
  readonly changed_members: readonly string[];
}

/**
 * Makes a route, whose requests `rpc` answers. It does not compile if a path parameter is no field of the RPC's request
 * or a bucket is not in the reference.
 */
export function route<const L extends RouteLine, M extends MethodDefinition>(
  line: ParamOf<L> extends keyof RequestOf<M> ? L : never,
  rpc: M,
  options: RouteOptions<M>,
): Route {
  const [verb, path] = (line as string).split(' ') as [Verb, string];
  const { query = [], headers = {}, body = 'none', body_limit_bytes = MiB } = options;
  const {
    raw_query,
    token,
    answer,
    reply,
    check_before_long_body,
    member_buckets = {},
    changed_members = [],
  } = options;
  return {
    ...options,
    ...endpointOf(rpc),
    verb,
    path,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    query,
    raw_query,
    token,
    headers,
    body,
    body_limit_bytes,
    answer,
    reply: reply as Route['reply'],
    check_before_long_body: check_before_long_body && endpointOf(check_before_long_body),
    member_buckets,
    changed_members,
  };
}

/** The fields of a request that the edge fills from its credential: no parameter or body has them. */
export function credentialFields({ token, cookie }: Route): string[] {
  return [...(token === undefined ? [] : [token]), ...(cookie === 'resumes' ? ['secret'] : [])];
}
