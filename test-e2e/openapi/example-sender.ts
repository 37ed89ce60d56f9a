import type { Api, Reply } from '../support/api.ts';
import { type Json, OPERATIONS, type PlacedOperation } from './document.ts';
import { fillExample } from './fill-example.ts';
import { expectDocumentedSuccess } from './response-schemas.ts';

/** What takes the place of an example's placeholders. */
export interface RealValues {
  /** The Cookie header of a page of the web app, where the sign-in cookie is the credential. */
  readonly cookie?: string;
  /** The Authorization header. Its kind must be among the operation's credentials. */
  readonly as?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: { readonly [member: string]: Json };
}

/** Sends the example request of each operation to a stack, and keeps account of them. */
export class ExampleSender {
  readonly #api: Api;
  readonly #sent = new Set<string>();

  constructor(api: Api) {
    this.#api = api;
  }

  /** The operations of the document whose example was not sent. */
  get missing(): string[] {
    return [...OPERATIONS.keys()].filter((operationId) => !this.#sent.has(operationId));
  }

  /** Sends an operation's example with real values, and expects its documented success. */
  async send<T>(operationId: string, real: RealValues = {}): Promise<T> {
    const reply = await this.reply(operationId, real);
    return reply.text === '' || !/json/.test(reply.headers.get('content-type') ?? '')
      ? (undefined as T) // the caller expects no body
      : reply.json<T>();
  }

  async reply(operationId: string, real: RealValues = {}): Promise<Reply> {
    const place = OPERATIONS.get(operationId);
    if (place === undefined) throw new Error(`the document has no operation ${operationId}`);
    const { method, path, operation } = place;
    const target = pathOf(place, real) + queryOf(place, real);
    const { type, text } = bodyOf(place, real);
    const headers = {
      ...headersOf(place, real),
      ...(real.cookie !== undefined && { cookie: real.cookie, origin: new URL(this.#api.url).origin }),
      ...(type !== undefined && { 'content-type': type }),
    };
    const reply = await this.#api.send(method.toUpperCase(), target, {
      headers,
      ...(text !== undefined && { body: text }),
    });
    expectDocumentedSuccess({ method, path, operation }, reply);
    this.#sent.add(operationId);
    return reply;
  }
}

function pathOf({ path, operation }: PlacedOperation, { path: values = {} }: RealValues): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${operation.operationId}: the path needs ${name}`);
    return encodeURIComponent(value);
  });
}

function queryOf({ operation }: PlacedOperation, { query = {} }: RealValues): string {
  const examples = (operation.parameters ?? []).filter(
    (one) => one.in === 'query' && one.example !== undefined,
  );
  const pairs = examples.map(({ name, example }): [string, string] => {
    const filled = fillExample(example, query[name], `${operation.operationId}.${name}`);
    return [name, String(filled)];
  });
  const known = new Set(pairs.map(([name]) => name));
  const unknown = Object.keys(query).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`${operation.operationId}: no example of ${unknown.join(', ')}`);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function headersOf({ operation }: PlacedOperation, { as, cookie }: RealValues): Record<string, string> {
  const kinds = operation['x-credentials'];
  if (
    as === undefined &&
    cookie === undefined &&
    !kinds.some((kind) => ['none', 'webhook', 'client'].includes(kind))
  )
    throw new Error(`${operation.operationId} needs a credential: ${kinds.join(', ')}`);
  const examples = (operation.parameters ?? []).filter(
    (one) => one.in === 'header' && one.example !== undefined,
  );
  const headers = examples.map(({ name, example }) => [name, String(example)] as const);
  return { ...Object.fromEntries(headers), ...(as !== undefined && { authorization: as }) };
}

function bodyOf({ operation }: PlacedOperation, { body }: RealValues): { type?: string; text?: string } {
  const { requestBody, operationId } = operation;
  const [type, media] =
    Object.entries(requestBody?.content ?? {}).find(([, one]) => one.example !== undefined) ?? [];
  if (type === undefined) {
    if (requestBody?.required || body !== undefined)
      throw new Error(`${operationId} has no example of its body`);
    return {};
  }
  const filled = fillExample(media?.example, body, operationId);
  const isForm = type === 'application/x-www-form-urlencoded';
  const text = isForm
    ? new URLSearchParams(filled as Record<string, string>).toString()
    : JSON.stringify(filled);
  return { type, text };
}
