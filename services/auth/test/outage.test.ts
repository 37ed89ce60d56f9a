import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { expect, test } from 'vitest';
import { faultOf, IN_TIME, newcomer, registered, startAuth, whoIs } from './auth.ts';

test('while the database is away every RPC is 503; when it is back, all is as it was', async () => {
  const wire = await cuttableWire();
  const service = await startAuth('auth_outage', { through: wire.through });
  const { auth } = service;
  try {
    const { token, user_id, user, caller } = await registered(auth);
    const login = { email: user?.email ?? '', password: 'correct horse battery' };

    wire.cut();
    const calls = [
      auth.identify({ kind: CallerKind.CALLER_KIND_SESSION, token }, IN_TIME),
      auth.getCurrentUser({}, { ...IN_TIME, caller }),
      auth.getUsers({ ids: [user_id] }, IN_TIME),
      auth.register(newcomer(), IN_TIME),
      auth.login(login, IN_TIME),
      auth.logout({}, { ...IN_TIME, caller }),
      auth.listSessions({}, { ...IN_TIME, caller }),
      auth.endSessions({ session_id_hashes: [], all: true }, { ...IN_TIME, caller }),
      auth.listSecurityEvents({}, IN_TIME),
      auth.createBot({ application_id: '1', name: 'Bot', owner_id: user_id }, IN_TIME),
    ];
    const reasons = await Promise.all(calls.map(async (call) => (await faultOf(call)).reason));
    expect(reasons).toEqual(calls.map(() => 'SERVICE_UNAVAILABLE'));

    wire.mend();
    await expect.poll(() => auth.login(login, IN_TIME), { timeout: 10_000 }).toMatchObject({ user_id });
    expect(await whoIs(auth, CallerKind.CALLER_KIND_SESSION, token)).toBe(user_id);
  } finally {
    wire.mend();
    await service.close();
    wire.close();
  }
});

/** A proxy to a server that can be cut and restored. */
async function cuttableWire(): Promise<{
  through(url: string): string;
  cut(): void;
  mend(): void;
  close(): void;
}> {
  let target = new URL('tcp://127.0.0.1');
  let whole = true;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (!whole) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    through: (url) => {
      target = new URL(url);
      const near = new URL(url);
      near.hostname = '127.0.0.1';
      near.port = String(port);
      return near.href;
    },
    cut: () => {
      whole = false;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      whole = true;
    },
    close: () => server.close(),
  };
}
