import { expect, it } from 'vitest';
import { useSharedStack } from '../support/stack.ts';

/** With no proxy that is trusted, as by default. */
const stack = useSharedStack({});

it('nobody’s word is taken for the address a request came from unless the peer is a trusted proxy', async () => {
  const register = (n: number, from: string) =>
    stack.api
      .from(from)
      .post('/auth/register', { email: `x${n}@example.com`, username: `x${n}`, password: 'long enough' });
  // Three accounts an hour and address (registration:ip).
  for (let n = 1; n <= 3; n++) expect((await register(n, `203.0.113.${n}`)).status).toBe(200);
  const spoofed = await register(4, '203.0.113.9');
  expect(spoofed.status, 'X-Forwarded-For buys no fresh bucket').toBe(429);
});
