import { STATUS_CODES } from 'node:http';
import { describeRow } from '@gatehouse/cli/commands/routes/describe-row';
import type { Route } from '@gatehouse/gateway/route';
import { messageName } from '@gatehouse/gateway/service-definitions';
import { messageSchema } from '@gatehouse/kit/json';
import type { ContractComments } from '../api-reference/contract-comments.ts';
import { statusOf } from '../api-reference/error-tables.ts';
import { rpcName } from '../api-reference/rpc-comment.ts';
import { errorsOf } from '../api-reference/rpc-errors.ts';
import { description } from './descriptions.ts';
import { errorName } from './error-schemas.ts';
import { headerRefs } from './headers.ts';
import { type JsonSchema, ref } from './json-schema.ts';
import type { MessageSchemas } from './message-schemas.ts';

/** The codes that any request may get, besides those of its credential and its body. */
const ALWAYS = [
  'INVALID_FORM_BODY',
  'RATE_LIMITED',
  'REQUEST_TIMEOUT',
  'UNSUPPORTED_MEDIA_TYPE',
  'REQUEST_HEADER_FIELDS_TOO_LARGE',
  'INTERNAL_SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
  'GATEWAY_TIMEOUT',
];
const WITH_BODY = ['PAYLOAD_TOO_LARGE'];

/** All responses of a route by status. */
export function responsesOf(
  row: Route,
  comments: ContractComments,
  schemas: MessageSchemas,
): Record<string, JsonSchema> {
  const codes = codesByStatus(row, comments);
  const errors = [...codes].map(([status, texts]) => [status, errorResponse(status, texts)] as const);
  return Object.fromEntries([...successes(row, schemas), ...errors]);
}

function successes(row: Route, schemas: MessageSchemas): [string, JsonSchema][] {
  const { status, content_type, text } = describeRow(row);
  const changed = row.cookie === undefined || row.cookie === 'identifies' ? [] : ['Set-Cookie'];
  return status.map((one): [string, JsonSchema] => {
    if (one === 302)
      return [
        '302',
        { description: 'A redirect to the URL in `Location`.', headers: headerRefs('Location') },
      ];
    if (one === 204)
      return ['204', { description: 'Done. There is no body.', headers: headerRefs(...changed) }];
    if (content_type !== null && text === '')
      return [String(one), { description: 'Done. The body is empty.', headers: headerRefs() }];
    const [media, schema] =
      content_type === null
        ? ['application/json', answerSchema(row, schemas)]
        : [
            content_type,
            text === null ? { type: 'string', format: 'binary' } : { type: 'string', const: text },
          ];
    return [
      String(one),
      { description: 'Success.', headers: headerRefs(...changed), content: { [media]: { schema } } },
    ];
  });
}

function answerSchema(row: Route, schemas: MessageSchemas): JsonSchema {
  const response = messageSchema(messageName(row, 'Response'));
  const field = response.fields.find(({ name }) => name === row.answer);
  return field === undefined
    ? schemas.refTo(response, 'output')
    : schemas.fieldSchema(response, field, 'output');
}

/** The codes of errors by status, with the remarks of the RPC's comment. */
function codesByStatus(row: Route, comments: ContractComments): Map<string, Map<string, string>> {
  const own = errorsOf(comments, rpcName(row)).map((text) => /^([A-Z_0-9]+)\s*(.*)$/s.exec(text) ?? []);
  const all = [
    ...own.map(([, code = '', remark = '']) => [code, remark] as const),
    ...[...ALWAYS, ...accessCodes(row), ...(row.body === 'none' ? [] : WITH_BODY)].map(
      (code) => [code, ''] as const,
    ),
  ];
  const byStatus = new Map<string, Map<string, string>>();
  for (const [code, remark] of all) {
    const status = statusOf(code);
    if (status === undefined) throw new Error(`${rpcName(row)}: ${code} is no code of an error response`);
    const codes = byStatus.get(String(status)) ?? new Map<string, string>();
    byStatus.set(String(status), codes.set(code, [codes.get(code), remark].filter(Boolean).join('; ')));
  }
  return new Map([...byStatus].sort(([one], [other]) => Number(one) - Number(other)));
}

/** The codes of credentials that the route refuses (docs/credentials.md#authorization-outcomes). */
function accessCodes({ access, scope, params }: Route): string[] {
  const unmatched = params.length > 0 ? ['NOT_FOUND'] : [];
  if (access === 'public') return unmatched;
  if (access === 'bot') return [...unmatched, 'UNAUTHORIZED'];
  return [
    ...unmatched,
    'UNAUTHORIZED',
    'ACCESS_DENIED',
    ...(scope === undefined ? [] : ['MISSING_OAUTH_SCOPE']),
  ];
}

function errorResponse(status: string, codes: ReadonlyMap<string, string>): JsonSchema {
  const names = [...codes.keys()];
  const [only = '', ...others] = names;
  if (others.length === 0 && codes.get(only) === '' && SHARED.includes(only))
    return { $ref: `#/components/responses/${sharedName(only)}` };
  return {
    description: [...codes]
      .map(([code, remark]) => `\`${code}\` ${description(remark)}`.trim().replace('` ,', '`,'))
      .join('; '),
    headers: headerRefs(...headersOf(status)),
    content: { 'application/json': { schema: oneOf(names) } },
  };
}

function oneOf(codes: readonly string[]): JsonSchema {
  const refs = codes.map((code) => ref(errorName(code)));
  if (refs.length === 1) return refs[0] ?? {};
  const mapping = Object.fromEntries(codes.map((code) => [code, ref(errorName(code)).$ref]));
  return { oneOf: refs, discriminator: { propertyName: 'code', mapping } };
}

/** Codes whose response is the same wherever they come alone. */
const SHARED = [...ALWAYS, ...WITH_BODY, 'UNAUTHORIZED', 'ACCESS_DENIED', 'NOT_FOUND'];

/** components/responses. */
export function sharedResponses(): Record<string, JsonSchema> {
  return Object.fromEntries(
    SHARED.map((code) => {
      const status = String(statusOf(code));
      const response = {
        description: `\`${code}\` (${STATUS_CODES[status]})`,
        headers: headerRefs(...headersOf(status)),
        content: { 'application/json': { schema: ref(errorName(code)) } },
      };
      return [sharedName(code), response];
    }),
  );
}

function sharedName(code: string): string {
  return errorName(code).replace(/Error$/, '');
}

const RATE_LIMIT_HEADERS = [
  'Retry-After',
  'X-RateLimit-Scope',
  'X-RateLimit-Global',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Reset-After',
  'X-RateLimit-Bucket',
];

function headersOf(status: string): string[] {
  if (status === '429') return RATE_LIMIT_HEADERS;
  return status === '503' ? ['Retry-After'] : [];
}
