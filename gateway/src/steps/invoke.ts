import type { CallOptions } from '@gatehouse/kit/rpc';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { Connections } from '../connections.ts';
import type { RequestContext } from '../request-context.ts';
import type { Endpoint } from '../service-definitions.ts';

const INVOKE_TIMEOUT_MS = 10_000;
const NO_MESSAGE = {};

type Message = Record<string, unknown>;
type Method = (request: Message, options: CallOptions) => Promise<Message>;

/** Calls an RPC for a caller. The request is a message, or an encoded one. */
export type Invoker = (
  request: Message | Uint8Array,
  caller: Caller,
  context: RequestContext,
) => Promise<Message>;

/** Makes the function that calls an RPC through the client of its service. */
export function invoker({ service, rpc }: Endpoint, connections: Connections): Invoker {
  const client = connections[service].client as unknown as Readonly<Record<string, Method>>;
  const method = client[rpc];
  if (method === undefined) throw new Error(`${service} has no RPC ${rpc}`);
  return (request, caller, { requestId, gone }) => {
    const options = {
      timeoutMs: INVOKE_TIMEOUT_MS,
      caller,
      requestId,
      ...(gone === undefined ? {} : { signal: gone }),
    };
    return request instanceof Uint8Array
      ? method(NO_MESSAGE, { ...options, encoded: request })
      : method(request, options);
  };
}
