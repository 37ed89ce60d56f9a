import type { Handler, Handlers, ServiceDefinition } from '@gatehouse/kit/rpc';

/** Wakes the readers of this process's event log after each RPC with side effects. */
export function wakeReaders<D extends ServiceDefinition>(
  { methods }: D,
  handlers: Handlers<D>,
  wake: () => void,
): Handlers<D> {
  const all = Object.entries(handlers) as [string, Handler<unknown, unknown>][];
  const woken = all.map(([name, handler]): [string, Handler<unknown, unknown>] => [
    name,
    methods[name]?.options.idempotencyLevel === 'NO_SIDE_EFFECTS' ? handler : wakeAfter(handler, wake),
  ]);
  return Object.fromEntries(woken) as unknown as Handlers<D>;
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
