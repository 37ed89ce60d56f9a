import { someHandlers } from '@gatehouse/dev-env/some-handlers';
import { unavailable } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import { anonymous, connect, implement, serve } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { expect, onTestFinished, test, vi } from 'vitest';
import { wakeReaders } from '../../src/rpc/events/wake-readers.ts';

test('RPCs with side effects wake readers, also when they fail; others do not', async () => {
  const wake = vi.fn();
  const handlers = someHandlers(AuthServiceDefinition, {
    logout: () => ({}),
    reencrypt: () => {
      throw unavailable(new Error('after the first page'));
    },
    getUsers: () => ({ users: [] }),
  });
  const implementations = [
    implement(AuthServiceDefinition, wakeReaders(AuthServiceDefinition, handlers, wake)),
  ];
  const server = await serve({ address: '127.0.0.1:0', implementations, log: silentLogger });
  onTestFinished(() => server.close());
  const { client, close } = connect(AuthServiceDefinition, { address: server.address });
  onTestFinished(close);
  const call = { timeoutMs: 5_000, caller: anonymous };

  await client.getUsers({ ids: [] }, call);
  expect(wake).not.toHaveBeenCalled();
  await client.logout({}, call);
  expect(wake).toHaveBeenCalledOnce();
  await expect(client.reencrypt({}, call)).rejects.toThrow();
  expect(wake.mock.calls.length).toBeGreaterThan(1);
});
