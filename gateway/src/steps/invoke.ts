import { concurrency } from '@gatehouse/kit/concurrency';
import type { CallOptions } from '@gatehouse/kit/rpc';
import type { RequestContext } from '../request-context.ts';
import type { Row } from '../route.ts';
import type { Connections } from '../services.ts';

const INVOKE_TIMEOUT_MS = 10_000;
const MAX_WAITING_CALLS = 128;
const NO_MESSAGE = {};

type Request = Record<string, unknown> | Uint8Array;
type Invoke = (request: Record<string, unknown>, options: CallOptions) => Promise<Record<string, unknown>>;
export type Invoker = (request: Request, context: RequestContext) => Promise<Record<string, unknown>>;

/** Makes the function that calls a row's RPC on behalf of the request's caller. */
export function invoker(row: Row, connections: Connections): Invoker {
  const client = connections[row.service].client as unknown as Readonly<Record<string, Invoke>>;
  const invoke = client[row.rpc];
  if (invoke === undefined) throw new Error(`${row.service} has no RPC ${row.rpc}`);
  const call: Invoker = (request, { caller, requestId }) =>
    request instanceof Uint8Array
      ? invoke(NO_MESSAGE, { timeoutMs: INVOKE_TIMEOUT_MS, caller, requestId, encoded: request })
      : invoke(request, { timeoutMs: INVOKE_TIMEOUT_MS, caller, requestId });
  if (row.calls_at_once === undefined) return call;
  const inTurn = concurrency({ at_once: row.calls_at_once, max_waiting: MAX_WAITING_CALLS });
  return (request, context) => inTurn(() => call(request, context));
}
