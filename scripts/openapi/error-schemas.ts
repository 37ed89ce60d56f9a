import { STATUS_CODES } from 'node:http';
import { ERRORS, type ErrorRow } from '@gatehouse/proto/errors';
import { statusOf } from '../api-reference/error-tables.ts';
import { description } from './descriptions.ts';
import { type JsonSchema, ref } from './json-schema.ts';

const ROWS: ReadonlyMap<string, ErrorRow> = new Map(Object.entries(ERRORS));

/** The members that every error has. */
const COMMON = {
  error: { type: 'string', description: 'The status and its reason phrase.' },
  code: { type: 'string', description: 'The kind of error. Programs branch on it.' },
  message: { type: 'string', description: 'A text for people. It may change.' },
} as const;

const VIOLATIONS = {
  type: 'array',
  description: 'Validation errors only: an entry for each failure.',
  items: ref('Violation'),
};

/** The schemas that all errors share, and one for each code of an HTTP response, by name. */
export function errorSchemas(): Record<string, JsonSchema> {
  const codes = [...ROWS.keys()].filter((code) => statusOf(code) !== undefined);
  return {
    Error: {
      type: 'object',
      description: 'The body of every error.',
      required: Object.keys(COMMON),
      properties: { ...COMMON, errors: VIOLATIONS },
    },
    Violation: {
      type: 'object',
      description: 'One failure of a validation.',
      required: ['path', 'code', 'message'],
      properties: {
        path: {
          type: 'string',
          description:
            'The member, joined by dots (`embeds.0.title`); `body` if the body is no JSON object, `root` for a rule about all of it.',
        },
        code: { type: 'string', description: 'The rule that failed.', examples: ['STRING_LENGTH_INVALID'] },
        message: { type: 'string', description: 'A text for people.' },
      },
    },
    ...Object.fromEntries(codes.map((code) => [errorName(code), errorSchema(code)])),
  };
}

/** `UnknownMessageError` for UNKNOWN_MESSAGE. */
export function errorName(code: string): string {
  const words = code.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase());
  return `${words.join('')}Error`;
}

function errorSchema(code: string): JsonSchema {
  const row = ROWS.get(code);
  const status = statusOf(code) ?? 0;
  const members = Object.entries(row?.members_schema ?? {});
  const required = members.filter(([, member]) => member.required).map(([name]) => name);
  return {
    type: 'object',
    description: description(sentence(row?.when ?? '')),
    required: [...Object.keys(COMMON), ...required],
    properties: {
      ...COMMON,
      error: { ...COMMON.error, const: `${status} ${STATUS_CODES[status]}` },
      code: { ...COMMON.code, const: code },
      ...Object.fromEntries(
        members.map(([name, member]) => [name, { description: member.description, ...member.schema }]),
      ),
    },
  };
}

/** A row's `when` as a sentence, with its links as they are in docs/. */
function sentence(when: string): string {
  const text = when.replaceAll(/\]\(([\w-]+)\.md/g, '](/docs/$1');
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
