import { credentialFields, type Route } from '@gatehouse/gateway/route';
import { messageName } from '@gatehouse/gateway/service-definitions';
import { messageSchema } from '@gatehouse/kit/json';
import type { ContractComments } from '../api-reference/contract-comments.ts';
import { derivedBody } from '../api-reference/derived-body.ts';
import { EXAMPLES } from '../api-reference/examples.ts';
import { formOf, takesMembers } from '../api-reference/route-messages.ts';
import { description } from './descriptions.ts';
import { exampleSecrets } from './example-secrets.ts';
import type { JsonSchema } from './json-schema.ts';
import type { MessageSchemas } from './message-schemas.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Routes that take any body but multipart: one that they cannot show has the same answer (docs/webhooks.md#always-204). */
const ANSWER_ANY_BODY = new Set(['executeCodehost', 'executeStatuspage']);
/** Routes that take JSON, or a form whose `payload` is that JSON. */
const TAKE_PAYLOAD = new Set(['executeChatcompat', ...ANSWER_ANY_BODY]);

/** The request body of a route; undefined if it takes none. */
export function requestBodyOf(
  row: Route,
  comments: ContractComments,
  schemas: MessageSchemas,
): JsonSchema | undefined {
  if (row.body === 'none') return undefined;
  const { body_limit_bytes } = row;
  return {
    ...(typeof row.body === 'object' && about(row, row.body.bytes, comments)),
    required: row.body !== 'optional_json' && !ANSWER_ANY_BODY.has(row.rpc),
    content: contentOf(row, comments, schemas),
    'x-max-bytes': body_limit_bytes,
  };
}

function about(row: Route, field: string, comments: ContractComments): JsonSchema {
  const text = comments.get(`${messageName(row, 'Request')}.${field}`);
  // The schema shows the message, so its name is not repeated.
  return text === undefined ? {} : { description: description(text.replace(/,? of the form \w+/, '')) };
}

function contentOf(row: Route, comments: ContractComments, schemas: MessageSchemas): JsonSchema {
  const schema = bodySchema(row, comments, schemas);
  const example = EXAMPLES[`${row.service}.${row.rpc}`];
  if (row.headers.authorization !== undefined)
    return { [FORM_TYPE]: { schema, ...exampleOf(example?.form) } };
  const json = { schema, ...exampleOf(example === undefined ? derivedBody(row) : example.body) };
  if (!TAKE_PAYLOAD.has(row.rpc)) return { [JSON_TYPE]: json };
  const payload = {
    type: 'string',
    contentMediaType: JSON_TYPE,
    description: 'The same object as JSON text.',
  };
  const required = ANSWER_ANY_BODY.has(row.rpc) ? {} : { required: ['payload'] };
  const form = { type: 'object', ...required, properties: { payload } };
  return { [JSON_TYPE]: json, [FORM_TYPE]: { schema: form } };
}

function exampleOf(value: object | undefined): { readonly example?: unknown } {
  return value === undefined ? {} : { example: exampleSecrets(value) };
}

function bodySchema(row: Route, comments: ContractComments, schemas: MessageSchemas): JsonSchema {
  const request = messageSchema(messageName(row, 'Request'));
  if (takesMembers(row)) {
    const elsewhere = new Set([
      ...row.params,
      ...row.query,
      ...Object.values(row.headers),
      ...credentialFields(row),
    ]);
    const members = request.fields.map(({ name }) => name).filter((name) => !elsewhere.has(name));
    return schemas.refTo(request, 'input', new Set(members));
  }
  const form = typeof row.body === 'object' ? formOf(request, row.body.bytes, comments) : undefined;
  if (form === undefined) return { type: 'object' };
  const schema = schemas.refTo(form, 'input');
  return ANSWER_ANY_BODY.has(row.rpc) ? { anyOf: [schema, {}] } : schema;
}
