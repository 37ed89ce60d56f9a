import type { Client } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import type { Runtime } from '../../runtime.ts';
import { callService } from '../../service/call-service.ts';

export type AuthClient = Client<typeof AuthServiceDefinition>;
/** Longer than any statement takes. */
export const AUTH_TIMEOUT = { timeoutMs: 15_000 };

export function callAuth<T>(
  address: string,
  runtime: Runtime,
  makeCalls: (client: AuthClient) => Promise<T>,
): Promise<T> {
  const title = 'The auth service or its database';
  return callService(
    { server: 'auth', definition: AuthServiceDefinition, title },
    address,
    runtime,
    makeCalls,
  );
}
