import { expect, it } from 'vitest';
import { namedThings } from '../../web/requests/named-things.ts';

it('finds the things that a log line names, with the pages that they have', () => {
  const line = {
    name: 'webhook-delivery',
    webhook_id: '12',
    account_id: '34',
    bucket: 'webhook:execute',
    ms: 3,
  };
  expect(namedThings(line)).toEqual([
    { text: 'webhook 12', link: { kind: 'webhook', id: '12' } },
    { text: 'account 34', link: { kind: 'account', id: '34' } },
    { text: 'bucket webhook:execute', link: undefined },
  ]);
  expect(namedThings({ channel_id: '5', guild_id: '6' })).toEqual([
    { text: 'guild 6', link: { kind: 'guild', id: '6' } },
    { text: 'channel 5', link: undefined },
  ]);
});

it.each([
  undefined,
  null,
  'text',
  [],
  {},
  { webhook_id: 12 },
  { webhook_id: '' },
  { account_id: '../x' },
  { bucket: {} },
])('finds nothing in %j', (line) => {
  expect(namedThings(line)).toEqual([]);
});
