import type { EmbedInput } from '@gatehouse/proto/chat';
import { expect, it } from 'vitest';
import { messageFaults } from './fixtures/message-faults.ts';

const sound: EmbedInput = { title: 'T', url: 'https://x.test', color: 0xffffff, fields: [] };

it('a valid message has no faults', () => {
  const longest = { ...sound, title: '🚪'.repeat(256), description: 'd'.repeat(4096) };
  expect(messageFaults({ content: 'c'.repeat(4000), username: 'u', embeds: [longest] })).toEqual([]);
});

it.each<[fault: string, embed: EmbedInput]>([
  ['title too long', { ...sound, title: 'x'.repeat(257) }],
  ['blank description', { ...sound, description: ' ' }],
  ['NUL in footer', { ...sound, footer: { text: 'a\0' } }],
  ['half a pair in author', { ...sound, author: { name: '\ud800' } }],
  ['author without name', { ...sound, author: { url: 'https://x.test' } }],
  ['field without name or value', { ...sound, fields: [{ name: 'x' }] }],
  ['field value too long', { ...sound, fields: [{ name: 'x', value: 'x'.repeat(1025) }] }],
  ['too many fields', { ...sound, fields: Array(26).fill({ name: 'x', value: 'x' }) }],
  ['bad link', { ...sound, image: { url: 'javascript:alert(1)' } }],
  ['bad color', { ...sound, color: 0x1000000 }],
  ['bad timestamp', { ...sound, timestamp: 'yesterday' }],
])('%s is found', (fault, embed) => {
  expect(messageFaults({ embeds: [embed] })).toEqual([fault]);
});

it('totals over the limit, and empty messages, are found', () => {
  const half = { ...sound, description: 'd'.repeat(3000) };
  expect(messageFaults({ embeds: [half, half] })).toEqual(['embeds too long together']);
  expect(messageFaults({ embeds: Array(11).fill(sound) })).toEqual(['too many embeds']);
  expect(messageFaults({ content: 'c'.repeat(4001), username: 'u'.repeat(81), embeds: [] })).toEqual([
    'content too long',
    'username too long',
  ]);
  expect(messageFaults({ embeds: [] })).toEqual(['nothing to show']);
});
