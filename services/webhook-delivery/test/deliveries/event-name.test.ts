import { expect, it } from 'vitest';
import { eventName } from '../../src/deliveries/event-name.ts';

it.each<[header: string | null | undefined, noted: string | null]>([
  ['push', 'push'],
  [' push ', 'push'],
  ['pull_request_review', 'pull_request_review'],
  ['Push Hook', 'Push Hook'],
  ['', null],
  [' ', null],
  [undefined, null],
  [null, null],
  ['\u0000', null],
  ['pu\u0000sh\u001b[31m\n\u202e', null],
  ['x'.repeat(64), 'x'.repeat(64)],
  ['x'.repeat(65), null],
  ['d41d8cd98f00b204e9800998ecf8427e', null],
  ['https://example.com/hook?key=abc', null],
])('the event %j is stored as %j', (header, noted) => {
  expect(eventName(header)).toBe(noted);
});
