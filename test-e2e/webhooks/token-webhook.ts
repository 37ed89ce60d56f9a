import { describe, expect, it } from 'vitest';
import { withGlobalRetry } from '../support/api.ts';
import { newcomer } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { openWebhook } from './calls.ts';

export function tokenWebhook(stack: TestStack): void {
  describe('a token webhook', () => {
    it('is the webhook without its user, with no-store, and the same for every caller', async () => {
      const { path, webhook, owner } = await openWebhook(stack);
      const { user: _, ...shown } = webhook;
      const stranger = await newcomer(withGlobalRetry(stack.api));
      for (const api of [
        stack.api,
        owner.api,
        stranger.api,
        withGlobalRetry(stack.api).as('Bearer nonsense'),
      ]) {
        const reply = await api.get(path);
        expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store']);
        expect(reply.json()).toEqual(shown);
        expect((await api.post(path, { content: 'x' })).status).toBe(204);
      }
      const changed = await withGlobalRetry(stack.api).send('PATCH', path, { body: { name: 'n' } });
      expect(changed.headers.get('cache-control')).toBe('no-store');
      expect(changed.json()).toEqual({ ...shown, name: 'n' });
    });
  });
}
