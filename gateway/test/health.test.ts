import { describe, expect, it } from 'vitest';
import { PROBED } from '../src/health.ts';
import { SERVICE_NAMES } from '../src/service-definitions.ts';
import { startEdge, useEdge } from './support/edge.ts';
import { startTcp } from './support/realtime.ts';

describe('a probe', () => {
  const edge = useEdge();

  it.each(['//livez', '//readyz'])('%s is JSON without a charset', async (path) => {
    expect((await edge.send(`GET ${path}`)).headers.get('content-type')).toBe('application/json');
  });

  it('/livez is 200 while this process answers', async () => {
    const answer = await edge.send('GET //livez');
    expect([answer.status, answer.text]).toEqual([200, '{"live":true}']);
  });

  it('/readyz is 200 while every service answers', async () => {
    const answer = await edge.send('GET //readyz');
    const services = Object.fromEntries(PROBED.map((name) => [name, true]));
    expect([answer.status, answer.json()]).toEqual([200, { ready: true, services, shedding: [] }]);
  });

  it('may come as HEAD, with a query, and many at once', async () => {
    expect((await edge.send('HEAD //livez')).status).toBe(200);
    expect((await edge.send('GET //readyz?x')).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 50 }, () => edge.send('GET //readyz')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('charges nothing and looks up no credential', async () => {
    for (const path of ['//livez', '//readyz'])
      await edge.send(`GET ${path}`, { headers: { authorization: 'x' } });
    expect(edge.peers.calls).toEqual([]);
  });

  it('is not below /api/v1', async () => {
    expect((await edge.send('GET /livez')).status).toBe(404);
    expect((await edge.send('GET /readyz')).status).toBe(404);
  });
});

describe('/readyz', () => {
  it('is 503 and names realtime while it takes no WebSockets', async () => {
    const edge = await startEdge();
    try {
      await edge.peers.realtime.close();
      const down = await edge.send('GET //readyz');
      expect([down.status, down.json().services]).toEqual([
        503,
        expect.objectContaining({ realtime: false }),
      ]);
    } finally {
      await edge.close();
    }
  });

  it('shares one check of realtime among simultaneous probes', async () => {
    const realtime = await startTcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 426 Upgrade Required\r\n\r\n')),
    );
    const edge = await startEdge({ config: { realtime_address: realtime.address } });
    try {
      const from_ms = performance.now();
      for (let count = 0; count < 200; count++) expect((await edge.send('GET //readyz')).status).toBe(200);
      expect(realtime.sockets.length).toBeLessThanOrEqual(1 + (performance.now() - from_ms) / 250);
    } finally {
      await edge.close();
      await realtime.close();
    }
  });

  it.each(SERVICE_NAMES)(
    'is 503 and names %s while it is down, and 200 once it is back; /livez stays 200',
    async (name) => {
      const edge = await startEdge();
      try {
        await edge.peers.stop(name);
        const down = await edge.send('GET //readyz');
        const services = Object.fromEntries(PROBED.map((service) => [service, service !== name]));
        expect([down.status, down.json()]).toEqual([503, { ready: false, services, shedding: [] }]);
        expect((await edge.send('GET //livez')).status).toBe(200);
        await edge.peers.restart(name);
        await expect.poll(async () => (await edge.send('GET //readyz')).status).toBe(200);
      } finally {
        await edge.close();
      }
    },
  );
});
