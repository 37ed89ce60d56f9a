import { describe, expect, it } from 'vitest';
import type { Schema } from '../../generate/openapi.ts';
import { operationTitle } from '../../generate/operation-title.ts';
import { boundsOf, typeText } from '../../generate/schema-type.ts';

const REF = { $ref: '#/components/schemas/Role' };

describe('a schema in words', () => {
  it.each<[string, Schema]>([
    ['string or null', { type: ['string', 'null'] }],
    ['array of Role', { type: 'array', items: REF }],
    ['array of Role or null', { type: ['array', 'null'], items: REF }],
    ['Role or null', { anyOf: [REF, { type: 'null' }] }],
    ['snowflake', { $ref: '#/components/schemas/Snowflake' }],
    ['any', {}],
  ])('is %s', (text, schema) => {
    expect(typeText(schema)).toBe(text);
  });

  it('names the bounds that say something', () => {
    expect(boundsOf({ minLength: 1, maxLength: 100, default: 'x' })).toEqual([
      '1–100 characters',
      'default: "x"',
    ]);
    expect(boundsOf({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })).toEqual(['at least 0']);
    expect(boundsOf({ pattern: '^a$' })).toEqual(['matches ^a$']);
    expect(boundsOf({ pattern: `^${'a'.repeat(40)}$`, enum: [0] })).toEqual(['always 0']);
    expect(boundsOf({ enum: [1, 2], minItems: 2, maxItems: 2 })).toEqual(['one of 1, 2', '2 items']);
  });
});

it('titles of operations are words', () => {
  expect(operationTitle('loginMfaTotp')).toBe('Login MFA TOTP');
  expect(operationTitle('listWebauthnCredentials')).toBe('List WebAuthn credentials');
});
