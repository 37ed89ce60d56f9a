import type { Client } from '@gatehouse/kit/rpc';
import { ConsoleServiceDefinition } from '@gatehouse/proto/console';
import { addressesOf } from '../../profiles/deployment.ts';
import type { Runtime } from '../../runtime.ts';
import { callService } from '../../service/call-service.ts';

const SERVICE = {
  server: 'console' as const,
  definition: ConsoleServiceDefinition,
  title: 'The console or its database',
};
const TIMEOUT_MS = 15_000;

export interface OperatorsOptions {
  readonly address?: string;
  readonly json?: boolean;
}

/** Calls the console's gRPC service, which needs no operator's token. */
export function callConsole<T>(
  { address }: OperatorsOptions,
  runtime: Runtime,
  makeCall: (
    client: Client<typeof ConsoleServiceDefinition>,
    options: { timeoutMs: number; signal: AbortSignal },
  ) => Promise<T>,
): Promise<T> {
  const at = address ?? addressesOf(runtime.env, 'console');
  const options = { timeoutMs: TIMEOUT_MS, signal: runtime.signal };
  return callService(SERVICE, at, runtime, (client) => makeCall(client, options));
}
