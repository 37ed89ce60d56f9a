import { expect, it } from 'vitest';
import { countedPart, furtherText } from '../../web/accounts/reach.ts';
import { roleMay } from '../../web/api/roles.ts';
import { failedText } from '../../web/applications/failed-text.ts';
import { timeTexts } from '../../web/charts/time-axis.ts';
import { outboxes, periodicJobs } from '../../web/jobs/job-list.ts';
import { pageOfIdentity } from '../../web/parts/hrefs.ts';
import { type RouteStatistics, sortOf, sortRoutes } from '../../web/routes/route-statistics.ts';
import { jsonText } from '../../web/text/json-text.ts';
import { cappedText } from '../../web/text/numbers.ts';
import { pendingText } from '../../web/text/pending.ts';
import { executionsOf } from '../../web/webhooks/outcomes.ts';

const route = (name: string, rate: number, p99_ms: number | null): RouteStatistics => ({
  route: name,
  rate,
  errors: 0,
  p50_ms: 1,
  p99_ms,
  recent: [],
});

it('sorts routes by a column, the unknown at the end, equal ones by name', () => {
  const routes = [route('b', 1, null), route('a', 1, 5), route('c', 9, 2)];
  const names = (by: string) => sortRoutes(routes, sortOf(by)).map((one) => one.route);
  expect(names('rate')).toEqual(['c', 'a', 'b']);
  expect(names('p99_ms')).toEqual(['a', 'c', 'b']);
  expect(names('route')).toEqual(['a', 'b', 'c']);
  expect(sortOf('constructor')).toBe('rate');
});

it('puts the outbox that has waited longest first', () => {
  const job = (name: string, kind: string, oldest_ms?: number) => ({ name, kind, oldest_ms, running: false });
  const auth = {
    service: 'auth',
    address: '127.0.0.1:1',
    version: '1',
    started_at_ms: 0,
    jobs: [
      job('mail', 'outbox'),
      job('retention', 'periodic'),
      job('events', 'outbox', 0),
      job('old', 'outbox', 9),
    ],
  };
  expect(outboxes([auth]).map((one) => one.job.name)).toEqual(['old', 'events', 'mail']);
  expect(periodicJobs([auth]).map((one) => one.job.name)).toEqual(['retention']);
});

it('offers actions to roles that may take them', () => {
  expect(roleMay('read', 'account.suspend')).toBe(false);
  expect(roleMay('support', 'account.suspend')).toBe(true);
  expect(roleMay('support', 'guild.disable')).toBe(false);
  expect(roleMay('admin', 'operator.add')).toBe(true);
});

it('counts what a suspension reaches, up to what is loaded', () => {
  const things = (length: number) => Array.from({ length }, () => ({}));
  expect([0, 1, 49, 50].map((count) => countedPart(things(count), 'webhook'))).toEqual([
    '0 webhooks',
    '1 webhook',
    '49 webhooks',
    '50 or more webhooks',
  ]);
  expect(countedPart(undefined, 'webhook')).toBe('an unknown number of webhooks');
  expect([0, 1, 2, 3, 50].map(furtherText)).toEqual([
    'who has no other application',
    'who has no other application',
    'who has 1 more application',
    'who has 2 more applications',
    'who has 49 or more other applications',
  ]);
});

it('finds the page of an identity that is the ID of a thing', () => {
  expect(pageOfIdentity('webhook:12')).toEqual({ href: '/webhooks/12', text: 'the webhook' });
  expect(pageOfIdentity('ip:192.0.2.1')).toBeUndefined();
  expect(pageOfIdentity(undefined)).toBeUndefined();
});

it('writes JSON objects on a line, and other texts as they are', () => {
  expect(jsonText('{"a":"b","c":1}')).toBe('a: b, c: 1');
  expect([jsonText('[1]'), jsonText('no'), jsonText('')]).toEqual(['[1]', 'no', '']);
});

it('names the services that have not confirmed an action', () => {
  expect(pendingText([])).toBe('');
  expect(pendingText(['chat', 'oauth2'])).toMatch(/^ chat and oauth2 have not confirmed it yet/);
});

it('counts executions with every outcome', () => {
  expect(executionsOf({ posted: 1, nothing: 2, refused: 3, duplicate: 4 })).toBe(10);
  expect(executionsOf(undefined)).toBe(0);
});

it('marks hours on a time axis, and days where they begin', () => {
  const noon = new Date(2026, 10, 29, 12, 5).getTime() / 1_000;
  const midnight = new Date(2026, 10, 30).getTime() / 1_000;
  expect(timeTexts([noon, midnight], 3_600)).toEqual(['12:05', '30 Nov']);
  expect(timeTexts([noon], 86_400)).toEqual(['29 Nov']);
  expect(timeTexts([noon + 15], 30)).toEqual(['12:05:15']);
});

it('says of failed requests how many are known', () => {
  expect([failedText(0), failedText(12), failedText(50)]).toEqual([
    '0 failed',
    '12 failed',
    '50 or more failed',
  ]);
});

it('says that a count ended at its maximum', () => {
  expect([cappedText(9_999, 10_000), cappedText(10_000, 10_000)]).toEqual(['9,999', '10,000 or more']);
});
