import { codePoints } from '@gatehouse/kit/form';
import { expect } from 'vitest';
import type { ChatcompatMessage } from '../src/chatcompat/render.ts';

/** Holds a message against the limits that chat would refuse it by. */
export function expectWithinLimits({ content, username, embeds }: ChatcompatMessage): void {
  expect(content !== undefined || embeds.length > 0).toBe(true);
  expect(codePoints(content ?? '')).toBeLessThanOrEqual(4000);
  expect(codePoints(username ?? '')).toBeLessThanOrEqual(80);
  expect(embeds.length).toBeLessThanOrEqual(10);
  let total = 0;
  const count = (text: string | null | undefined, limit: number) => {
    if (typeof text !== 'string') return;
    expect(text.trim()).not.toBe('');
    expect(codePoints(text)).toBeLessThanOrEqual(limit);
    total += codePoints(text);
  };
  for (const embed of embeds) {
    count(embed.title, 256);
    count(embed.description, 4096);
    count(embed.author?.name, 256);
    count(embed.footer?.text, 2048);
    expect(embed.fields.length).toBeLessThanOrEqual(25);
    for (const field of embed.fields) {
      count(field.name, 256);
      count(field.value, 1024);
    }
  }
  expect(total).toBeLessThanOrEqual(6000);
}
