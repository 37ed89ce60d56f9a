import { codePoints } from '@gatehouse/kit/form';
import type { EmbedInput } from '@gatehouse/proto/chat';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import { expect } from 'vitest';

/** Whether chat takes an embed, which is titled, as it is. */
export function expectEmbedLimits(embed: EmbedInput): void {
  const sizes = [
    sizeOf(embed.title, EMBED_LIMITS.title),
    sizeOf(embed.description, EMBED_LIMITS.description),
    sizeOf(embed.footer?.text, EMBED_LIMITS.footer_text),
    ...embed.fields.flatMap(({ name, value }) => [
      sizeOf(name ?? '', EMBED_LIMITS.field_name),
      sizeOf(value ?? '', EMBED_LIMITS.field_value),
    ]),
  ];
  expect(embed.title ?? '').not.toBe('');
  expect(embed.fields.length).toBeLessThanOrEqual(EMBED_LIMITS.fields);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(EMBED_LIMITS.total);
  expect(embed.color).toBeGreaterThanOrEqual(0);
  expect(embed.color).toBeLessThanOrEqual(EMBED_LIMITS.color);
  if (embed.timestamp != null) expect(embed.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  if (embed.url != null) {
    expect(embed.url).toMatch(/^https?:\/\/\S+$/i);
    expect(codePoints(embed.url)).toBeLessThanOrEqual(EMBED_LIMITS.url);
  }
}

/** A text that is there is not blank, and can be stored. */
function sizeOf(text: string | null | undefined, limit: number): number {
  if (text === null || text === undefined) return 0;
  expect(text.trim()).not.toBe('');
  expect(text.includes('\0')).toBe(false);
  expect(text.isWellFormed()).toBe(true);
  const size = codePoints(text);
  expect(size).toBeLessThanOrEqual(limit);
  return size;
}
