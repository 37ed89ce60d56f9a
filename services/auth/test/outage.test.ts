import { faultOf } from '@gatehouse/dev-env/faults';
import { startTcpProxy } from '@gatehouse/dev-env/tcp-proxy';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { expect, test } from 'vitest';
import { IN_TIME, newcomer, registered, startAuth, whoIs } from './auth.ts';

test('while the database is unavailable every RPC is 503; afterwards all works again', async () => {
  const proxy = await startTcpProxy();
  const service = await startAuth('auth_outage', { through: proxy.through });
  const { auth } = service;
  try {
    const { token, user_id, user, caller } = await registered(auth);
    const login = { email: user?.email ?? '', password: 'correct horse battery' };

    proxy.cut();
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
      auth.resetBotToken({ application_id: '1' }, { ...IN_TIME, caller }),
      auth.updateWebauthnCredential({ id: 'AAAA', name: 'Key' }, { ...IN_TIME, caller }),
    ];
    const reasons = await Promise.all(calls.map(async (call) => (await faultOf(call)).reason));
    expect(reasons).toEqual(calls.map(() => 'SERVICE_UNAVAILABLE'));

    proxy.restore();
    await expect.poll(() => auth.login(login, IN_TIME)).toMatchObject({ user_id });
    expect(await whoIs(auth, CallerKind.CALLER_KIND_SESSION, token)).toBe(user_id);
  } finally {
    proxy.restore();
    await service.close();
    proxy.close();
  }
});
