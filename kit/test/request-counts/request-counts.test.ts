import { silentLogger } from '@gatehouse/kit/log';
import { RequestCounts } from '@gatehouse/kit/request-counts/request-counts';
import { type RequestReport, RequestReports } from '@gatehouse/kit/request-counts/request-reports';
import { expect, onTestFinished, test } from 'vitest';

const note = (counts: RequestCounts<number>, subject: string, group = 'a', failure?: number) =>
  counts.note({ subject, group, is_limited: failure === 429, failure });

test('requests are counted by subject and group until they are taken', () => {
  const counts = new RequestCounts<number>();
  note(counts, '1');
  note(counts, '1', 'a', 429);
  note(counts, '1', 'b', 404);
  note(counts, '2');
  expect(counts.take()).toEqual([
    {
      subject: '1',
      groups: [
        { group: 'a', requests: 2, limited: 1 },
        { group: 'b', requests: 1, limited: 0 },
      ],
      failures: [429, 404],
    },
    { subject: '2', groups: [{ group: 'a', requests: 1, limited: 0 }], failures: [] },
  ]);
  expect(counts.take()).toEqual([]);
});

test('each subject keeps its last ten failures, and too many subjects are lost and counted', () => {
  const counts = new RequestCounts<number>({ max_subjects: 2 });
  for (let failure = 1; failure <= 25; failure++) note(counts, '1', 'a', failure);
  for (const subject of ['2', '3', '3', '1']) note(counts, subject, 'a', 0);
  const taken = counts.take();
  expect(taken.map(({ subject, failures }) => [subject, failures])).toEqual([
    ['1', [17, 18, 19, 20, 21, 22, 23, 24, 25, 0]],
    ['2', [0]],
  ]);
  expect(counts.lost()).toBe(2);
  note(counts, '3');
  expect(counts.take()).toHaveLength(1);
});

test('too many groups of all subjects are lost and counted, and known ones go on', () => {
  const counts = new RequestCounts<number>({ max_groups: 2 });
  for (const group of ['a', 'b', 'c', 'a']) note(counts, '1', group);
  expect(counts.take()[0]?.groups.map(({ group, requests }) => [group, requests])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  expect(counts.lost()).toBe(1);
  note(counts, '1', 'c');
  expect(counts.take()).toHaveLength(1);
});

/** Reports to a receiver that takes each report once, as oauth2 does, and loses `lost` of its answers. */
function reporting(lost: () => boolean, give_up_ms?: number) {
  const seen = new Map<string, RequestReport<number>>();
  let sent = 0;
  const reports = new RequestReports<number>({
    send: async (report) => {
      sent++;
      seen.set(report.id, report);
      if (lost()) throw new Error('no answer came');
    },
    log: silentLogger,
    every_ms: 5,
    give_up_ms,
  });
  onTestFinished(() => reports.close());
  const received = () =>
    [...seen.values()].flatMap(({ subjects }) => subjects).flatMap(({ groups }) => groups);
  return {
    reports,
    sent: () => sent,
    requests: () => received().reduce((sum, { requests }) => sum + requests, 0),
    largest: () => Math.max(...[...seen.values()].map(({ subjects }) => subjects.length)),
  };
}

test('a report whose answer is lost is sent again, and nothing is counted twice or lost', async () => {
  let answers = 0;
  const { reports, requests, sent } = reporting(() => ++answers <= 3);
  for (let count = 0; count < 100; count++) note(reports.counts, String(count % 7));
  await expect.poll(sent).toBeGreaterThan(2);
  for (let count = 0; count < 50; count++) note(reports.counts, String(count % 7));
  await expect.poll(requests).toBe(150);
  expect(reports.lost()).toBe(0);
});

test('what is counted last is reported at the end, in reports of 200 subjects', async () => {
  const { reports, requests, largest } = reporting(() => false);
  for (let count = 0; count < 1_000; count++) note(reports.counts, String(count));
  await reports.close();
  expect([requests(), largest()]).toEqual([1_000, 200]);
});

test('closing does not wait for a receiver that never answers', async () => {
  let sent = 0;
  const send = () => {
    sent += 1;
    return new Promise(() => undefined);
  };
  const reports = new RequestReports<number>({ send, log: silentLogger });
  note(reports.counts, '1');
  await reports.close();
  expect(sent).toBe(1);
});

test('a report that fails for too long is given up, and its requests are counted as lost', async () => {
  const { reports } = reporting(() => true, 20);
  for (let count = 0; count < 3; count++) note(reports.counts, '1');
  await expect.poll(() => reports.lost()).toBe(3);
});
