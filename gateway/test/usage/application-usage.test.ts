import type { ReportUsageRequest } from '@gatehouse/proto/oauth2';
import { expect, it } from 'vitest';
import { startEdge } from '../support/edge.ts';
import { ACCESS_TOKEN, BOT, SESSION } from '../support/peers.ts';

/** Runs requests at an edge, and returns its reports. */
async function reportsOf(run: (edge: Awaited<ReturnType<typeof startEdge>>) => Promise<void>) {
  const edge = await startEdge();
  const reports: ReportUsageRequest[] = [];
  edge.peers.answers = {
    oauth2: {
      reportUsage: (request) => {
        reports.push(request);
        return {};
      },
    },
  };
  await run(edge);
  await edge.close();
  return { reports, log: edge.log.join('') };
}

const as = (authorization: string) => ({ headers: { authorization, 'x-request-id': 'chosen-id' } });

it('reports the requests of live tokens by bucket, and failures by the pattern of their route', async () => {
  const { reports } = await reportsOf(async ({ send, peers }) => {
    await send('GET /users/@me', as(`Bot ${BOT}`));
    await send('GET /users/@me?token=secret', as(`Bot ${BOT}`));
    await send('GET /users/@me', as(`Bearer ${ACCESS_TOKEN}`));
    await send('GET /oauth2/applications/@me', as(`Bot ${BOT}`));
    await send('GET /nowhere/secret', as(`Bot ${BOT}`));
    peers.denial = { bucket: 'global', limit: 50, retry_after_us: 1_000_000, empty_after_us: 1_000_000 };
    await send('GET /users/@me', as(`Bot ${BOT}`));
  });
  const applications = reports.flatMap((report) => report.applications);
  const ofBot = applications.find(({ errors }) => errors.length > 0);
  expect(applications).toHaveLength(2);
  expect(ofBot?.buckets).toEqual(
    expect.arrayContaining([expect.objectContaining({ bucket: 'global', limited: 1 })]),
  );
  expect(ofBot?.buckets.reduce((sum, { requests }) => sum + requests, 0)).toBe(5);
  expect(ofBot?.errors).toMatchObject([
    {
      method: 'GET',
      route: '/oauth2/applications/@me',
      status: 403,
      code: 'ACCESS_DENIED',
      request_id: 'chosen-id',
    },
    { method: 'GET', route: '(unmatched)', status: 404, code: 'NOT_FOUND' },
    { method: 'GET', route: '/users/@me', status: 429, code: 'RATE_LIMITED' },
  ]);
  expect(JSON.stringify(reports)).not.toContain('secret');
});

it('counts neither sessions nor tokens that are not live', async () => {
  const { reports } = await reportsOf(async ({ send }) => {
    await send('GET /users/@me', as(`Bearer ${SESSION}`));
    await send('GET /users/@me', as('Bot 1.dead'));
    await send('GET /users/@me');
  });
  expect(reports).toEqual([]);
});

it('answers as ever while oauth2 takes no reports', async () => {
  const edge = await startEdge();
  edge.peers.answers = { oauth2: { reportUsage: () => Promise.reject(new Error('no')) } };
  expect((await edge.send('GET /users/@me', as(`Bot ${BOT}`))).status).toBe(200);
  await edge.close();
});
