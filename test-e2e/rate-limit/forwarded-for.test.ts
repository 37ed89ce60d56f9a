import { expect, it } from 'vitest';
import { useSharedStack } from '../support/stack.ts';

/** The default: no trusted proxies. */
const stack = useSharedStack({});

it('X-Forwarded-For is ignored from a peer that is not a trusted proxy', async () => {
  const register = (n: number, from: string) =>
    stack.api
      .from(from)
      .post('/auth/register', { email: `x${n}@example.com`, username: `x${n}`, password: 'long enough' });
  // Three accounts an hour and address (registration:ip).
  for (let n = 1; n <= 3; n++) expect((await register(n, `203.0.113.${n}`)).status).toBe(200);
  const spoofed = await register(4, '203.0.113.9');
  expect(spoofed.status, 'X-Forwarded-For does not select another bucket').toBe(429);
});
