import { faultOf } from '@gatehouse/dev-env/faults';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { Status } from '../../src/fault.ts';
import { createLogger } from '../../src/log.ts';
import { rpcMetrics } from '../../src/metrics/rpc-metrics.ts';
import { anonymous, type Call } from '../../src/rpc.ts';
import { client, LOCAL, start, text } from '../support/echo-service.ts';

const timeoutMs = 5_000;
const caller = { ...anonymous, kind: CallerKind.CALLER_KIND_SESSION, account_id: '42' };

const connectAs = (name: string, address: string) =>
  client(address, 'direct', { local: { servers: LOCAL, name } }).client;

describe('a call within a process', () => {
  it('is limited to services with access; without the right to act for callers it is anonymous', async () => {
    const seen: Call[] = [];
    const lines: Record<string, unknown>[] = [];
    const { address } = await start(
      (request, call) => {
        seen.push(call);
        return request;
      },
      {
        count: async function* (request, call) {
          seen.push(call);
          yield request;
        },
        log: createLogger({ name: 'test', destination: { write: (line) => lines.push(JSON.parse(line)) } }),
        peers: {
          allows: (peer, path) => peer === 'edge' || (peer === 'service' && !path.endsWith('Again')),
          mayActForCallers: (peer) => peer === 'edge',
        },
      },
    );
    const [edge, service] = [connectAs('edge', address), connectAs('service', address)];
    await edge.say(text('x'), { timeoutMs, caller });
    await service.say(text('x'), { timeoutMs, caller });
    for await (const _ of edge.count(text('x'), { caller }));
    for await (const _ of service.count(text('x'), { caller }));
    expect(seen.map((call) => call.caller)).toEqual([caller, anonymous, caller, anonymous]);

    expect(await faultOf(service.again(text('x'), { timeoutMs }))).toMatchObject({ status: Status.INTERNAL });
    const denied = connectAs('other', address).count(text('x'))[Symbol.asyncIterator]();
    expect(await faultOf(denied.next())).toMatchObject({ status: Status.INTERNAL });
    expect(seen).toHaveLength(4);
    await expect.poll(() => lines.map(({ peer }) => peer)).toContain('service');
  });

  it('begins after its caller continues, with the message as it was', async () => {
    let begun = false;
    const { address } = await start((request) => {
      begun = true;
      return request;
    });
    const request = { value: 'before' };
    const answer = client(address, 'direct').client.say(request, { timeoutMs });
    request.value = 'after';
    expect(begun).toBe(false);
    expect(await answer).toEqual(text('before'));
  });

  it('does not starve the event loop, however long the chain of calls', async () => {
    const { address } = await start((request) => request);
    const { client: echo } = client(address, 'direct');
    let passed = false;
    setTimeout(() => {
      passed = true;
    });
    while (!passed) await echo.say(text('x'), { timeoutMs: 60_000 });
  });

  it('has messages that receivers cannot change, also in streams', async () => {
    const { address } = await start((request) => {
      Object.assign(request, { value: 'changed' });
      return request;
    });
    const changing = client(address, 'direct').client.say(text('x'), { timeoutMs });
    expect(await faultOf(changing)).toMatchObject({ status: Status.INTERNAL });
    const echoing = await start((request) => request, {
      count: async function* (request) {
        yield request;
      },
    });
    const { client: echo } = client(echoing.address, 'direct');
    expect(Object.isFrozen(await echo.say(text('x'), { timeoutMs }))).toBe(true);
    for await (const response of echo.count(text('x'))) expect(Object.isFrozen(response)).toBe(true);
  });

  it('passes only the fields of the contract, whatever else the sender’s object has', async () => {
    const { address } = await start((request) => ({ ...request, secret: 'hunter2' }));
    const sent = { value: undefined as never, more: 1 };
    expect(await client(address, 'direct').client.say(sent, { timeoutMs })).toEqual({ value: null });
  });

  it('counts at the server, and at the client if it fails', async () => {
    const [served, failed] = [new Registry(), new Registry()];
    const { address } = await start(
      (request) => {
        if (request.value === 'throw') throw new Error('unforeseen');
        return request;
      },
      { metrics: rpcMetrics(served) },
    );
    const { client: echo } = client(address, 'direct', { metrics: rpcMetrics(failed) });
    await echo.say(text('x'), { timeoutMs });
    await faultOf(echo.say(text('throw'), { timeoutMs }));
    const labels = 'service="kit.v1.Json",method="Say"';
    for (const code of ['OK', 'INTERNAL'])
      expect(await served.metrics()).toContain(
        `rpc_server_duration_seconds_count{${labels},code="${code}"} 1`,
      );
    expect(await failed.metrics()).toContain(`rpc_client_failures_total{${labels},code="INTERNAL"} 1`);
  });
});
