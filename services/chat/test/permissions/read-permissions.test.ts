import { ALL_PERMISSIONS, Permission } from '@gatehouse/chat-client/permissions';
import { Form } from '@gatehouse/kit/form';
import { expect, test } from 'vitest';
import { readPermissions } from '../../src/form/read-permissions.ts';

const read = (text: string) => {
  const form = new Form();
  const bits = readPermissions(form, 'overwrites.0.allow', text);
  return { bits, violations: form.violations.map(({ path, code }) => `${path} ${code}`) };
};

test.each([
  ['0', 0n],
  ['8', Permission.ADMINISTRATOR],
  ['33787032395841535', ALL_PERMISSIONS],
  // Bit 19 and those above 54 are no permissions.
  [String(1n << 19n), 0n],
  [String((1n << 62n) | 8n), Permission.ADMINISTRATOR],
  ['9223372036854775807', ALL_PERMISSIONS],
])('%s is read as its known bits', (text, bits) => {
  expect(read(text)).toEqual({ bits, violations: [] });
});

test.each([
  '',
  ' ',
  ' 8',
  '8\n',
  '+8',
  '-1',
  '-0',
  '08',
  '0x8',
  '8n',
  '1e3',
  '8.0',
  '٨',
  'ADMINISTRATOR',
  '9223372036854775808',
  '18446744073709551616',
  '9'.repeat(100_000),
])('%j is refused', (text) => {
  expect(read(text)).toEqual({ bits: 0n, violations: ['overwrites.0.allow INVALID_FORMAT'] });
});
