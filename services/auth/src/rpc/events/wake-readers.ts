import type { Handler, Handlers, ServiceDefinition } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';

type AuthHandlers = Handlers<typeof AuthServiceDefinition>;

/** Wakes the readers of this process's event log after each RPC with side effects. */
export function wakeReaders(handlers: AuthHandlers, wake: () => void): AuthHandlers {
  const { methods }: ServiceDefinition = AuthServiceDefinition;
  const all = Object.entries(handlers) as [string, Handler<unknown, unknown>][];
  const woken = all.map(([name, handler]): [string, Handler<unknown, unknown>] => [
    name,
    methods[name]?.options.idempotencyLevel === 'NO_SIDE_EFFECTS' ? handler : wakeAfter(handler, wake),
  ]);
  return Object.fromEntries(woken) as unknown as AuthHandlers;
}

function wakeAfter(handler: Handler<unknown, unknown>, wake: () => void): Handler<unknown, unknown> {
  return async (request, call) => {
    try {
      return await handler(request, call);
    } finally {
      wake();
    }
  };
}
