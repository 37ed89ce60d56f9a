import type { MethodDefinition, RequestOf, ResponseOf } from '@gatehouse/kit/rpc';
import type { BUCKETS, BucketName } from '@gatehouse/proto/buckets';
import type { ServiceName, Services } from './services.ts';

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
 * Who may call: anyone; a user session; a session or a bot. (Specification 1, "Authentication":
 * operations that bots or access tokens may use say so in their row.)
 */
export type Who = 'public' | 'user' | 'user_or_bot';

/** What counts for a bucket whose key has alternatives ("Client, IP or account"): the row says which. */
export type KeyChoice = 'client' | 'ip' | 'account';
type BucketOfChoice = {
  [B in BucketName]: 'client_ip_or_account' extends (typeof BUCKETS)[B]['key'][number] ? B : never;
}[BucketName];
export type RowBucket = Exclude<BucketName, BucketOfChoice> | readonly [BucketOfChoice, KeyChoice];

export interface RowOptions<S extends ServiceName, M extends MethodOf<S>> {
  readonly who: Who;
  /** The route's own buckets, charged as one set. */
  readonly buckets: readonly RowBucket[];
  /** Specification 3, "Exempt from the global bucket". */
  readonly global_exempt?: true;
  /** Query parameters and the fields they fill, which have their names. */
  readonly query?: readonly (keyof Request<S, M> & string)[];
  /** Headers, in lower case, and the fields they fill. */
  readonly headers?: Readonly<Record<string, keyof Request<S, M> & string>>;
  /** `json`: an object, whose members fill the remaining fields. Otherwise the field that takes the bytes. */
  readonly body?: 'json' | { readonly bytes: keyof Request<S, M> & string };
  /** 1 MiB unless given. */
  readonly body_limit_bytes?: number;
  /** The response's field that is the answer's body; the whole response unless given. */
  readonly answer?: keyof Response<S, M> & string;
  /** 200 unless given. 204 has no body. */
  readonly status?: 204;
  /** An answer that is not a message's JSON. */
  readonly reply?: (response: Response<S, M>) => Answer;
}

/** An answer as it leaves the edge. */
export interface Answer {
  readonly status: number;
  readonly content_type?: string;
  readonly body?: string;
}

/** A row of the route table, once the compiler has accepted it. */
export interface Row
  extends Omit<
    RowOptions<ServiceName, never>,
    'query' | 'headers' | 'body' | 'body_limit_bytes' | 'answer' | 'reply'
  > {
  readonly verb: Verb;
  /** Below /api/v1, with parameters in braces. */
  readonly path: string;
  readonly params: readonly string[];
  readonly service: ServiceName;
  readonly rpc: string;
  readonly query: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: 'none' | 'json' | { readonly bytes: string };
  readonly body_limit_bytes: number;
  readonly answer: string | undefined;
  readonly reply: ((response: unknown) => Answer) | undefined;
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
  const { query = [], headers = {}, body = 'none', body_limit_bytes = MiB, answer, reply } = options;
  return {
    ...options,
    verb,
    path,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    service,
    rpc,
    query,
    headers,
    body,
    body_limit_bytes,
    answer,
    reply: reply as Row['reply'],
  };
}
