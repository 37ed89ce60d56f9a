import { expect, test } from 'vitest';
import { addressLines } from './addresses.ts';

const PLACES = {
  pages: 'https://chat.example.com',
  edge: 'http://127.0.0.1:8080',
  has_mailbox: true,
  console_url: 'http://127.0.0.1:8090/link#token',
  logs: '.data/logs',
};

test('the start prints a line for each place, and a command to try', () => {
  expect(addressLines(PLACES)).toEqual([
    '  web app     https://chat.example.com/account',
    '  portal      https://chat.example.com/developers',
    '  docs        https://chat.example.com/docs',
    '  mailbox     http://127.0.0.1:8080/dev/mail',
    '  components  http://127.0.0.1:8080/dev/components',
    '  logs        .data/logs',
    '  try: npm run demo',
    '  for operators (docs/operators.md)',
    '  console  (the link works once) http://127.0.0.1:8090/link#token',
    '  state    npm run gatehouse -- status',
    '  checks   npm run gatehouse -- doctor',
  ]);
});

test('places that a suite does not have are left out', () => {
  const lines = addressLines({ ...PLACES, has_mailbox: false, console_url: undefined }).join('\n');
  expect(lines).not.toMatch(/mailbox|components|console|status/);
});

test('an address of the console that is no link works more than once', () => {
  const lines = addressLines({ ...PLACES, console_url: 'http://127.0.0.1:8090' });
  expect(lines).toContain('  console  http://127.0.0.1:8090');
});
