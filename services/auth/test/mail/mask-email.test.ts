import { expect, test } from 'vitest';
import { maskEmail } from '../../src/accounts/account-view.ts';

test.each([
  ['alice@example.com', 'a***@e***.com'],
  ['b@mail.example.co.uk', 'b***@m***.uk'],
  ['root@localhost', 'r***@l***'],
])('%s is shown as %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked);
});
