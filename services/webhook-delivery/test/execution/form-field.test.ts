import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formField } from '../../src/execution/form-field.ts';
import { readPayload } from '../../src/execution/payload.ts';
import { FORM_TYPE } from './bodies.ts';

const found = (form: string | Buffer) => formField(Buffer.from(form), 'payload')?.toString();

it('is the first field with the name, decoded', () => {
  expect(found('x=payload=1&payloads=2&payload=%7b%22a%22%3A+1%7D&payload=3')).toBe('{"a": 1}');
  expect(found('payload=100%+%zz%4')).toBe('100% %zz%4');
  expect(found('payload=90% – é%21 🚪')).toBe('90% – é! 🚪');
  expect(found('payload=')).toBe('');
  expect(found('my_payload=1&xpayload=2')).toBeUndefined();
  expect(found('')).toBeUndefined();
});

it('is decoded like URLSearchParams', () => {
  const part = fc.constantFrom('%', '+', '=', '7', 'b', 'G', '%C3', '%a9', '%ff', '%00', '%26');
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const form = `payload=${parts.join('')}`;
      expect(found(form)).toBe(new URLSearchParams(form).get('payload'));
    }),
  );
  expect(found(Buffer.from('payload=\u00e9', 'latin1'))).toBe('\ufffd');
});

it('is absent in a body that is not a form', () => {
  expect(readPayload({ content_type: 'text/plain', body: Buffer.from('payload={}') })).toBeUndefined();
  expect(readPayload({ content_type: FORM_TYPE, body: Buffer.from('payload={}') })).toEqual({});
});
