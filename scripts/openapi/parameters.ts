import type { Route } from '@gatehouse/gateway/route';
import { messageName } from '@gatehouse/gateway/service-definitions';
import { type MessageSchema, messageSchema } from '@gatehouse/kit/json';
import type { ContractComments } from '../api-reference/contract-comments.ts';
import { EXAMPLES } from '../api-reference/examples.ts';
import { formOf } from '../api-reference/route-messages.ts';
import type { FieldSchema } from './field-schema.ts';
import { type JsonSchema, ref } from './json-schema.ts';
import type { MessageSchemas } from './message-schemas.ts';

/** Headers that OpenAPI describes elsewhere: by security schemes and by media types. */
const DESCRIBED_ELSEWHERE = new Set(['authorization', 'content-type']);

/** The parameters of a route in its path, its query and its headers. */
export function parametersOf(row: Route, comments: ContractComments, schemas: MessageSchemas): JsonSchema[] {
  const request = messageSchema(messageName(row, 'Request'));
  const { query, headers } = EXAMPLES[`${row.service}.${row.rpc}`] ?? {};
  const examples = new Map<string, Pick<Headers, 'get'>>([
    ['query', new URLSearchParams(query)],
    ['header', new Headers(headers)],
  ]);
  const parameter = (message: MessageSchema, fieldName: string, place: string, name = fieldName) => {
    const field = message.fields.find((one) => one.name === fieldName);
    if (field === undefined) throw new Error(`${message.name} has no field ${fieldName}`);
    const example = examples.get(place)?.get(name) ?? null;
    return {
      name,
      in: place,
      required: place === 'path' || field.required,
      ...schemas.about(message, fieldName),
      schema: textSchema(message, field, schemas),
      ...(example !== null && { example: field.kind === 'integer' ? Number(example) : example }),
    };
  };
  const form = row.raw_query === undefined ? undefined : formOf(request, row.raw_query, comments);
  return [
    ...row.params.map((name) => parameter(request, name, 'path')),
    ...row.query.map((name) => parameter(request, name, 'query')),
    ...(form?.fields ?? []).map(({ name }) => parameter(form ?? request, name, 'query')),
    ...Object.entries(row.headers)
      .filter(([header]) => !DESCRIBED_ELSEWHERE.has(header))
      .map(([header, field]) => parameter(request, field, 'header', titleCase(header))),
  ];
}

/** A parameter is text: an ID is never an integer there. */
function textSchema(message: MessageSchema, field: FieldSchema, schemas: MessageSchemas): JsonSchema {
  return field.kind === 'snowflake' ? ref('Snowflake') : schemas.fieldSchema(message, field, 'input');
}

function titleCase(header: string): string {
  return header.replaceAll(/(^|-)([a-z])/g, (_, dash, letter) => dash + letter.toUpperCase());
}
