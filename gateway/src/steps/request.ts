import { isUtf8 } from 'node:buffer';
import { invalidForm, type Violation } from '@gatehouse/kit/fault';
import { messageSchema, readJson, readText } from '@gatehouse/kit/json';
import { encodeMessage, type MessageType } from '@gatehouse/kit/rpc/messages/codec';
import { queryParameters } from '../http/query-parameters.ts';
import { headerCount } from '../http/request-headers.ts';
import type { BrowserCookie } from '../http/sign-in-cookie.ts';
import { SHORT_BODY_BYTES } from '../overload/body-budgets.ts';
import type { RequestContext } from '../request-context.ts';
import { credentialFields, type Route } from '../route.ts';
import { messageName } from '../service-definitions.ts';
import type { Body, JsonBody } from './read-body.ts';

type Message = Record<string, unknown>;
/** Builds the request message, already encoded if its body is long. */
export type RequestReader = (context: RequestContext, body: Body) => Message | Uint8Array;

/**
 * Makes the function that builds a route's request message from path, query, headers and body, and checks their form
 * (docs/conventions.md#id-format, docs/conventions.md#request-bodies).
 *
 * @throws INVALID_FORM_BODY with all violations
 */
export function requestReader(route: Route, cookie: BrowserCookie): RequestReader {
  const name = messageName(route, 'Request');
  const fields = messageSchema(name).fields.map((field) => field.name);
  const { raw_query, as_json } = route;
  const fromText = new Set([...route.params, ...route.query, ...Object.values(route.headers)]);
  if (raw_query !== undefined) fromText.add(raw_query);
  for (const field of credentialFields(route)) fromText.add(field);
  const notFromText = new Set(fields.filter((field) => !fromText.has(field)));
  const { requestType } = route.method;
  const bytesField = typeof route.body === 'object' ? route.body.bytes : undefined;

  return (context, body) => {
    const { message, violations } = readText<Message>(name, fieldTexts(route, context, cookie), notFromText);
    if (body.kind === 'json') violations.push(...fillFromJson(message, body));
    else if (body.kind === 'long_json') violations.push(...body.violations);
    else if (bytesField !== undefined) message[bytesField] = body.bytes;
    if (violations.length > 0) throw invalidForm(violations);
    if (as_json) message.as_json = true;
    return encodedIfLong(requestType, message, body);
  };

  /** Fills the fields that come from a JSON body, and returns the body's violations. */
  function fillFromJson(message: Message, { members, violations }: JsonBody): readonly Violation[] {
    if (violations.length > 0) return violations;
    const json = readJson<Message>(name, members, fromText);
    for (const field of notFromText) message[field] = json.message[field];
    return json.violations;
  }
}

/** Encodes a message with a long body. The call stream, for which it is too long, would encode it twice. */
function encodedIfLong(type: MessageType<unknown>, message: Message, body: Body): Message | Uint8Array {
  // Two concatenated encodings are one message with the fields of both.
  if (body.kind === 'long_json') return Buffer.concat([encodeMessage(type, message), body.encoded]);
  const isLong = body.kind === 'bytes' && body.bytes.length > SHORT_BODY_BYTES;
  return isLong ? encodeMessage(type, message) : message;
}

/** The text of path, query, headers and credentials, by field. */
function fieldTexts(
  route: Route,
  { request, credential }: RequestContext,
  cookie: BrowserCookie,
): Record<string, string | undefined> {
  const text: Record<string, string | undefined> = {};
  const params = request.params as Record<string, string>;
  for (const name of route.params) text[name] = params[name];
  const query = rawQuery(request.raw.url ?? '');
  if (route.query.length > 0) Object.assign(text, queryParameters(query, route.query));
  if (route.raw_query !== undefined) text[route.raw_query] = query;
  if (route.token !== undefined) text[route.token] = credential?.token;
  if (route.cookie === 'resumes') text.secret = cookie.read(request.raw);
  for (const [header, field] of Object.entries(route.headers)) {
    text[field] = headerText(headerOf(request, header));
  }
  return text;
}

/** Two Authorization headers are malformed, and count as none (docs/credentials.md#two-headers). */
function headerOf({ headers, raw }: RequestContext['request'], name: string): string | undefined {
  if (name === 'authorization' && headerCount(raw.rawHeaders, name) > 1) return undefined;
  return first(headers[name]);
}

/** The text after the first question mark. */
function rawQuery(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** Node reads a header's bytes as Latin-1. Valid UTF-8 is read as such. */
function headerText(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}

/** The first value of a repeated header. */
function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
