import { Fault, Status } from '@gatehouse/kit/fault';
import type { Handlers, ServiceDefinition } from '@gatehouse/kit/rpc';

/** Handlers for a test that needs only some RPCs of a service; the others are UNIMPLEMENTED. */
export function someHandlers<D extends ServiceDefinition>(
  definition: D,
  handlers: Partial<Handlers<D>>,
): Handlers<D> {
  const others = Object.keys(definition.methods).map((method) => [method, () => unimplemented(method)]);
  return { ...Object.fromEntries(others), ...handlers };
}

function unimplemented(method: string): never {
  throw new Fault({
    status: Status.UNIMPLEMENTED,
    reason: 'UNIMPLEMENTED',
    message: `${method} has no part in this test.`,
  });
}
