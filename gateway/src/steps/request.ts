import { Fault, invalidForm } from '@gatehouse/kit/fault';
import { messageSchema, parseObject, type ReadResult, readJson, readText } from '@gatehouse/kit/json';
import { encodeMessage } from '@gatehouse/kit/rpc/codec';
import { messageName, methodOf } from '../message-name.ts';
import type { RequestContext } from '../request-context.ts';
import type { Row } from '../route.ts';

type Message = Record<string, unknown>;
/** The request message, or its bytes where it was made of a long body. */
export type RequestReader = (context: RequestContext) => Message | Uint8Array;

/**
 * Makes the function that builds a row's request message out of path, query, headers and body, and judges
 * their form (docs/conventions.md#id-format, docs/conventions.md#request-bodies).
 *
 * @throws INVALID_FORM_BODY naming everything that is wrong
 */
export function requestReader(row: Row): RequestReader {
  const name = messageName(row, 'Request');
  const fields = messageSchema(name).fields.map((field) => field.name);
  const fromText = new Set([...row.params, ...row.query, ...Object.values(row.headers)]);
  const notFromText = new Set(fields.filter((field) => !fromText.has(field)));
  const { requestType } = methodOf(row);
  const bytesField = typeof row.body === 'object' ? row.body.bytes : undefined;

  return (context) => {
    const { message, violations } = readText<Message>(name, textOf(row, context), notFromText);
    if (context.long !== undefined) {
      violations.push(...context.long.violations);
      if (violations.length > 0) throw invalidForm(violations);
      // Messages one behind the other are one message with the fields of both.
      return Buffer.concat([encodeMessage(requestType, message), context.long.encoded]);
    }
    if (row.body === 'json' || row.body === 'optional_json') {
      const json = readBody(name, context, fromText);
      violations.push(...json.violations);
      for (const field of notFromText) message[field] = json.message[field];
    }
    if (violations.length > 0) throw invalidForm(violations);
    if (bytesField !== undefined) message[bytesField] = context.body ?? Buffer.alloc(0);
    return message;
  };
}

/** A body that is no object is one more thing that is wrong, beside the path and the query. */
function readBody(name: string, context: RequestContext, skip: ReadonlySet<string>): ReadResult<Message> {
  try {
    return readJson<Message>(name, jsonBody(context), skip);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { message: {}, violations: [...error.violations] };
  } finally {
    parsed.delete(context); // the message has all that is needed of it
  }
}

const parsed = new WeakMap<RequestContext, Record<string, unknown>>();

/**
 * The body as an object; parsed once.
 *
 * @throws INVALID_FORM_BODY
 */
export function jsonBody(context: RequestContext): Record<string, unknown> {
  let value = parsed.get(context);
  if (value === undefined) {
    value = parseObject(context.body ?? Buffer.alloc(0));
    parsed.set(context, value);
  }
  return value;
}

function textOf(row: Row, { request }: RequestContext): Record<string, string | undefined> {
  const text: Record<string, string | undefined> = {};
  const params = request.params as Record<string, string>;
  const query = request.query as Record<string, string | string[] | undefined>;
  for (const name of row.params) text[name] = params[name];
  for (const name of row.query) text[name] = first(query[name]);
  for (const [header, field] of Object.entries(row.headers)) text[field] = first(request.headers[header]);
  return text;
}

/** Of a parameter that came several times, the first. */
function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
