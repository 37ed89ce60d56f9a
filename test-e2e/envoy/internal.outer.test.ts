import { once } from 'node:events';
import { type TestCertificates, testCertificates } from '@gatehouse/dev-env/certificates';
import { freePort } from '@gatehouse/dev-env/free-port';
import { until } from '@gatehouse/dev-env/until';
import { PEERS } from '@gatehouse/proto/peers';
import { CheckRequest, CheckResponse, GetStatisticsResponse } from '@gatehouse/proto/ratelimit';
import type { Change } from '@gatehouse/stack/envoy/configuration';
import { envoyIsMissing, type RunningEnvoy, runEnvoy } from '@gatehouse/stack/envoy/running-envoy';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Command, runScript } from '../support/command.ts';
import { certificateOf, type PlainClient, plainClient } from './plain-client.ts';
import { type RecordingService, startRecordingService } from './recording-service.ts';

const RATELIMIT = '/gatehouse.ratelimit.v1.RatelimitService';
const SERVER = 'envoy-internal.test.internal';

/** A call without a deadline from its client gets one second, not ten. */
const IMPATIENT: Change = ['max_stream_duration: 10s', 'max_stream_duration: 1s'];

const check = (webhook: string) =>
  CheckRequest.encode({
    sets: [{ charges: [{ bucket: 'webhook:execute', identities: [`webhook:${webhook}`], cost: 1 }] }],
  }).finish();

describe.skipIf(envoyIsMissing)('the internal listener', () => {
  let ours: TestCertificates;
  let theirs: TestCertificates;
  let envoy: RunningEnvoy;
  let auth: RecordingService;
  const replicas: { address: string; command: Command }[] = [];
  const clients: PlainClient[] = [];

  beforeAll(async () => {
    [ours, theirs] = await Promise.all([testCertificates(...PEERS), testCertificates('platform')]);
    const { cert, key, ca } = ours.files('ratelimit');
    for (let n = 0; n < 2; n++) {
      const address = `127.0.0.1:${await freePort()}`;
      const tls = { RPC_TLS_CERT: cert, RPC_TLS_KEY: key, RPC_TLS_CA: ca };
      const command = runScript('services/ratelimit/src/main.ts', [], { LISTEN: address, ...tls });
      replicas.push({ address, command });
    }
    auth = await startRecordingService(ours.folder, 'auth');
    envoy = await runEnvoy({
      file: 'internal.yaml',
      addresses: { ratelimit: replicas.map(({ address }) => address), auth: [auth.address] },
      tls_dir: ours.folder,
    });
    await Promise.all([envoy.healthy('ratelimit', 2), envoy.healthy('auth', 1)]);
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await envoy?.close();
    auth?.close();
    for (const { command } of replicas) command.kill('SIGTERM');
    await Promise.all(replicas.map(({ command }) => command.ended));
    ours?.close();
    theirs?.close();
  });

  /** A client of Envoy's with the certificate of this name. */
  function clientOf(name: string | undefined, { folder } = ours): PlainClient {
    const client = plainClient(`127.0.0.1:${envoy.port(8090)}`, certificateOf(folder, name), SERVER);
    clients.push(client);
    return client;
  }

  /** Number of checks decided per replica, by its own metrics. */
  function checksDecided(): Promise<number[]> {
    return Promise.all(
      replicas.map(async ({ address }) => {
        const client = plainClient(
          address,
          certificateOf(ours.folder, 'operator'),
          'ratelimit.test.internal',
        );
        const answer = await client.call(`${RATELIMIT}/GetStatistics`, Buffer.alloc(0));
        client.close();
        return Number(GetStatisticsResponse.decode(answer).checks);
      }),
    );
  }

  const statusOf = (call: Promise<unknown>): Promise<number> =>
    call.then(
      () => status.OK,
      (error: ServiceError) => error.code,
    );

  it('spreads the calls of one connection over all replicas', async () => {
    const client = clientOf('platform');
    for (let n = 0; n < 60; n++) {
      const answer = CheckResponse.decode(await client.call(`${RATELIMIT}/Check`, check(`${n}`)));
      expect(answer.denial).toBeFalsy();
    }
    const decided = await checksDecided();
    expect(decided.reduce((sum, checks) => sum + checks, 0)).toBe(60);
    for (const checks of decided) expect(checks).toBeGreaterThan(10);
  });

  it.each(['gateway', 'operator', 'platform'])('lets %s check', async (name) => {
    expect(await statusOf(clientOf(name).call(`${RATELIMIT}/Check`, check(name)))).toBe(status.OK);
  });

  it.each([
    ['chat', `${RATELIMIT}/Check`],
    ['auth', `${RATELIMIT}/Check`],
    // The Envoy in front of the edge, open to any client.
    ['envoy', `${RATELIMIT}/Check`],
    ['platform', `${RATELIMIT}/Reset`],
    ['platform', `${RATELIMIT}/Explain`],
    ['platform', '/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit'],
    ['platform', '/kit.v1.Calls/Open'],
    ['platform', '/grpc.health.v1.Health/Check'],
    ['platform', '/nobody.v1.Nothing/Do'],
    // Calls that an operator may make at the service itself, which would refuse them from Envoy.
    ['operator', `${RATELIMIT}/Reset`],
    ['operator', '/gatehouse.auth.v1.AuthService/ListSecurityEvents'],
    // Only the process itself, without Envoy, may make these calls on behalf of callers.
    ['oauth2', '/gatehouse.auth.v1.AuthService/CreateBot'],
    ['oauth2', '/gatehouse.auth.v1.AuthService/GetCurrentUser'],
    ['gateway', '/gatehouse.auth.v1.AuthService/Identify'],
  ])('denies %s %s', async (name, path) => {
    const before = await checksDecided();
    expect(await statusOf(clientOf(name).call(path, check('1')))).toBe(status.PERMISSION_DENIED);
    expect(await checksDecided()).toEqual(before);
    expect(auth.calls).toEqual([]);
  });

  it('refuses clients without a certificate, or with one from another authority', async () => {
    expect(await statusOf(clientOf(undefined).call(`${RATELIMIT}/Check`, check('1')))).toBe(
      status.UNAVAILABLE,
    );
    const via = certificateOf(theirs.folder, 'platform');
    const stranger = plainClient(`127.0.0.1:${envoy.port(8090)}`, via, SERVER);
    clients.push(stranger);
    expect(await statusOf(stranger.call(`${RATELIMIT}/Check`, check('1')))).toBe(status.UNAVAILABLE);
  });

  it('lets a stream of checks last beyond the deadline of calls, even while it is silent', async () => {
    const patient = await runEnvoy({
      file: 'internal.yaml',
      addresses: { ratelimit: replicas.map(({ address }) => address) },
      tls_dir: ours.folder,
      changes: [IMPATIENT, ['stream_idle_timeout: 35s', 'stream_idle_timeout: 1s']],
    });
    const client = plainClient(
      `127.0.0.1:${patient.port(8090)}`,
      certificateOf(ours.folder, 'platform'),
      SERVER,
    );
    try {
      await patient.healthy('ratelimit', 2);
      const stream = client.open(`${RATELIMIT}/CheckStream`);
      const checked = async (): Promise<CheckResponse> => {
        stream.write(Buffer.from(check('stream')));
        const [answer] = await once(stream, 'data');
        return CheckResponse.decode(answer as Buffer);
      };
      expect(await checked()).toMatchObject({ denial: null, degraded: false });
      const call = client.open(`${RATELIMIT}/Check`); // without a request
      call.resume();
      await expect(once(call, 'end')).rejects.toMatchObject({ code: status.DEADLINE_EXCEEDED });
      expect(await checked()).toMatchObject({ denial: null, degraded: false });
      const ended = once(stream, 'status');
      stream.end();
      expect(await ended).toMatchObject([{ code: status.OK }]);
    } finally {
      client.close();
      await patient.close();
    }
  });

  it('forwards calls only to a service whose certificate has its name', async () => {
    const wrong = await startRecordingService(ours.folder, 'chat');
    const elsewhere = await runEnvoy({
      file: 'internal.yaml',
      addresses: { ratelimit: [wrong.address] },
      tls_dir: ours.folder,
    });
    try {
      const client = plainClient(
        `127.0.0.1:${elsewhere.port(8090)}`,
        certificateOf(ours.folder, 'platform'),
        SERVER,
      );
      expect(await statusOf(client.call(`${RATELIMIT}/Check`, check('1')))).toBe(status.UNAVAILABLE);
      client.close();
      expect(wrong.calls).toEqual([]);
    } finally {
      await elsewhere.close();
      wrong.close();
    }
  });

  describe('in front of two replicas', () => {
    let one: RecordingService;
    let two: RecordingService;
    let beside: RunningEnvoy;
    let client: PlainClient;

    beforeAll(async () => {
      one = await startRecordingService(ours.folder, 'ratelimit');
      two = await startRecordingService(ours.folder, 'ratelimit');
      beside = await runEnvoy({
        file: 'internal.yaml',
        addresses: { ratelimit: [one.address, two.address] },
        tls_dir: ours.folder,
        changes: [IMPATIENT],
      });
      await beside.healthy('ratelimit', 2);
      client = plainClient(`127.0.0.1:${beside.port(8090)}`, certificateOf(ours.folder, 'platform'), SERVER);
    });
    afterAll(async () => {
      client?.close();
      await beside?.close();
      one?.close();
      two?.close();
    });

    it('removes the caller that a client sends, and forwards its deadline and request ID', async () => {
      const metadata = new Metadata();
      metadata.set('gatehouse-caller-bin', Buffer.from('somebody'));
      metadata.set('x-request-id', 'mine');
      const due = Date.now() + 20_000;
      expect(await statusOf(client.call(`${RATELIMIT}/Check`, check('1'), { metadata }))).toBe(status.OK);
      const [call, ...more] = [...one.calls, ...two.calls];
      expect(more).toEqual([]);
      expect(call?.metadata.get('x-request-id')).toEqual(['mine']);
      expect(call?.metadata.get('gatehouse-caller-bin')).toEqual([]);
      expect(Math.abs(Number(call?.getDeadline()) - due)).toBeLessThan(5_000);
    });

    it('lets a draining replica finish, and sends it no new calls', async () => {
      const statuses: number[] = [];
      let stopped = false;
      const load = Array.from({ length: 4 }, async () => {
        while (!stopped) statuses.push(await statusOf(client.call(`${RATELIMIT}/Check`, check('1'))));
      });
      await until('both work', 30_000, () => (one.calls.length > 20 && two.calls.length > 20) || undefined);
      two.serving = false;
      await beside.healthy('ratelimit', 1);
      const [atOne, atTwo] = [one.calls.length, two.calls.length];
      await until('the other replica continues', 30_000, () => one.calls.length > atOne + 50 || undefined);
      expect(two.calls.length - atTwo, 'except calls that were under way').toBeLessThanOrEqual(4);
      stopped = true;
      await Promise.all(load);
      expect(new Set(statuses)).toEqual(new Set([status.OK]));
    });

    it('ends a call without a deadline', async () => {
      one.answering = false;
      const call = client.call(`${RATELIMIT}/Check`, check('1'), { timeout_ms: Number.POSITIVE_INFINITY });
      expect(await statusOf(call)).toBe(status.DEADLINE_EXCEEDED);
    });
  });
});
