import { expect, it } from 'vitest';
import { emptyText } from '../../web/overview/empty-text.ts';

it('does not call a list empty whose service does not answer', () => {
  const text = 'No webhook ran.';
  expect(emptyText([], 'webhook-delivery', text)).toBe(text);
  expect(emptyText(undefined, 'webhook-delivery', text)).toBe(text);
  expect(emptyText(['auth', 'webhook-delivery'], 'webhook-delivery', text)).toBe(
    'Unknown: webhook-delivery does not answer.',
  );
});
