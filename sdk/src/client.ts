import createFetchClient, {
  type Client,
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
  type ParseAs,
} from 'openapi-fetch';
import { type CallOptions, callLimits } from './call-options.ts';
import { authorizationOf, type Credentials } from './credential.ts';
import type { paths } from './generated/api.ts';
import { apiAddress } from './http/api-address.ts';
import { assertPathParameters, type PathParameters, toCall, toResponse } from './http/conversions.ts';
import type { Fetch } from './http/fetch.ts';
import { Transport } from './http/transport.ts';

/** What a client is made of: the address of the installation, a credential, and defaults for its calls. */
export interface ClientOptions extends Credentials, Omit<CallOptions, 'signal'> {
  /** The address of the installation, such as `https://chat.example`; the API is below it at /api/v1. */
  readonly baseUrl: string;
  /** In place of the global fetch. */
  readonly fetch?: Fetch | undefined;
}

type UntypedPaths = Record<string, Record<Verb, object>>;
type MediaType = `${string}/${string}`;
type Verb = 'get' | 'put' | 'post' | 'delete' | 'patch';
type PathOf<V extends Verb> = ClientPathsWithMethod<Client<paths, MediaType>, V>;

/** Of the options of openapi-fetch, those that describe one request. */
type RequestOptions<Path extends PathOf<V>, V extends Verb> = OnlyKeys<
  NonNullable<MaybeOptionalInit<paths[Path], V>>,
  'params' | 'body' | 'headers' | 'parseAs' | 'bodySerializer' | 'querySerializer'
>;
type OnlyKeys<T, Keys> = Pick<T, Extract<keyof T, Keys>>;

/** The parameters of a call are required if its operation requires one of them. */
type Init<T> = Record<never, never> extends T ? [init?: T & CallOptions] : [init: T & CallOptions];

/** The successful member of openapi-fetch's answers: the others are thrown. */
type Success<R> = R extends { error?: never; data: infer Data } ? Data : never;

export interface Answer<Data> {
  /** The body. Undefined if the answer has none. */
  readonly data: Data;
  readonly response: Response;
}

type Method<V extends Verb> = <Path extends PathOf<V>, I extends RequestOptions<Path, V>>(
  path: Path,
  ...init: Init<I>
) => Promise<Answer<Success<FetchResponse<paths[Path][V] & Record<string, unknown>, I, MediaType>>>>;

/** A client of the HTTP API. Paths, parameters, bodies and answers are typed by the OpenAPI document. */
export interface GatehouseClient {
  readonly GET: Method<'get'>;
  readonly PUT: Method<'put'>;
  readonly POST: Method<'post'>;
  readonly DELETE: Method<'delete'>;
  readonly PATCH: Method<'patch'>;
}

/** What a call passes on, of the options that its type allows. */
interface Options extends CallOptions {
  readonly params?: { readonly path?: PathParameters; query?: Record<string, unknown> };
  readonly parseAs?: ParseAs;
}

/** @throws TypeError, RangeError */
export function createClient(options: ClientOptions): GatehouseClient {
  const { baseUrl, fetch = globalThis.fetch } = options;
  const transport = new Transport((url, init) => fetch(url, init), authorizationOf(options));
  const client = createFetchClient<UntypedPaths>({ baseUrl: apiAddress(baseUrl) });
  callLimits(options);

  async function send(verb: Uppercase<Verb>, path: string, { signal, ...init }: Options = {}) {
    const limits = callLimits(options, { ...init, signal });
    const params = init.params?.path ?? {};
    assertPathParameters(path, params);
    const { data, response } = await client[verb](path, {
      ...init,
      fetch: async (request: Request) => {
        const call = await toCall(request, path, params);
        return toResponse(call, await transport.send(call, limits), init.parseAs);
      },
    });
    return { data, response };
  }

  // openapi-fetch builds requests from parameters of any operation; the types are those of the document.
  const verbs = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'] as const;
  const methods = verbs.map((verb) => [verb, (path: string, init?: Options) => send(verb, path, init)]);
  return Object.fromEntries(methods) as GatehouseClient;
}
