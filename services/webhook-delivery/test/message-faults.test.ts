import type { EmbedInput } from '@gatehouse/proto/chat';
import { expect, it } from 'vitest';
import { messageFaults } from './fixtures/message-faults.ts';

const valid: EmbedInput = { title: 'T', url: 'https://x.test', color: 0xffffff, fields: [] };

it('a valid message has no faults', () => {
  const longest = { ...valid, title: '🚪'.repeat(256), description: 'd'.repeat(4096) };
  expect(messageFaults({ content: 'c'.repeat(4000), username: 'u', embeds: [longest] })).toEqual([]);
});

it.each<[fault: string, embed: EmbedInput]>([
  ['title too long', { ...valid, title: 'x'.repeat(257) }],
  ['blank description', { ...valid, description: ' ' }],
  ['NUL in footer', { ...valid, footer: { text: 'a\0' } }],
  ['half a pair in author', { ...valid, author: { name: '\ud800' } }],
  ['author without name', { ...valid, author: { url: 'https://x.test' } }],
  ['field without name or value', { ...valid, fields: [{ name: 'x' }] }],
  ['field value too long', { ...valid, fields: [{ name: 'x', value: 'x'.repeat(1025) }] }],
  ['too many fields', { ...valid, fields: Array(26).fill({ name: 'x', value: 'x' }) }],
  ['bad link', { ...valid, image: { url: 'javascript:alert(1)' } }],
  ['bad color', { ...valid, color: 0x1000000 }],
  ['bad timestamp', { ...valid, timestamp: 'yesterday' }],
])('%s is found', (fault, embed) => {
  expect(messageFaults({ embeds: [embed] })).toEqual([fault]);
});

it('a total over the limit and an empty message are found', () => {
  const half = { ...valid, description: 'd'.repeat(3000) };
  expect(messageFaults({ embeds: [half, half] })).toEqual(['embeds too long together']);
  expect(messageFaults({ embeds: Array(11).fill(valid) })).toEqual(['too many embeds']);
  expect(messageFaults({ content: 'c'.repeat(4001), username: 'u'.repeat(81), embeds: [] })).toEqual([
    'content too long',
    'username too long',
  ]);
  expect(messageFaults({ embeds: [] })).toEqual(['nothing to show']);
});
