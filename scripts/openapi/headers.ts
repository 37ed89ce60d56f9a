import type { JsonSchema } from './json-schema.ts';

interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly required?: true;
}

const BUCKET_ONLY = 'Absent if the global bucket denied.';

/** The headers of responses that clients read, by name. */
const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description:
      "The request's own ID if it sent one of at most 128 printable ASCII characters, otherwise a new one.",
    schema: { type: 'string', maxLength: 128 },
    required: true,
  },
  Location: { description: 'The URL to go to.', schema: { type: 'string' }, required: true },
  'Set-Cookie': {
    description: 'The [sign-in cookie](/docs/credentials#sign-in-cookie).',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Whole seconds to wait.',
    schema: { type: 'integer', minimum: 1 },
    required: true,
  },
  'X-RateLimit-Scope': {
    description: 'Whether the global bucket denied the request, or one of the route.',
    schema: { type: 'string', enum: ['user', 'global'] },
  },
  'X-RateLimit-Global': {
    description: 'Present only if the global bucket denied.',
    schema: { type: 'string', const: 'true' },
  },
  'X-RateLimit-Limit': {
    description: `The bucket's limit. ${BUCKET_ONLY}`,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': { description: `0. ${BUCKET_ONLY}`, schema: { type: 'integer', minimum: 0 } },
  'X-RateLimit-Reset': {
    description: `Unix seconds when the bucket will be empty. ${BUCKET_ONLY}`,
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset-After': {
    description: `Seconds until then, with three decimals. ${BUCKET_ONLY}`,
    schema: { type: 'number', minimum: 0 },
  },
  'X-RateLimit-Bucket': {
    description: `The bucket's identifier. ${BUCKET_ONLY}`,
    schema: { type: 'string', pattern: '^[0-9a-f]{16}$' },
  },
};

/** components/headers. */
export function headerComponents(): Record<string, Header> {
  return HEADERS;
}

/** References to the headers of a response. Every response has `X-Request-Id`. */
export function headerRefs(...names: readonly string[]): JsonSchema {
  return Object.fromEntries(
    ['X-Request-Id', ...names].map((name) => {
      if (!(name in HEADERS)) throw new Error(`${name} is no header of the document`);
      return [name, { $ref: `#/components/headers/${name}` }];
    }),
  );
}
