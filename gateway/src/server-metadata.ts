import { jsonWriter } from '@gatehouse/kit/json';
import { withSpan } from '@gatehouse/kit/trace/current-span';
import type { GetServerMetadataResponse } from '@gatehouse/proto/oauth2';
import type { FastifyInstance } from 'fastify';
import type { Connections } from './connections.ts';
import { type AccessLogOptions, accessLog } from './log/access-log.ts';
import { logOnClose, type RequestOutcome } from './log/log-on-close.ts';
import { endpointOf, messageName, oauth2 } from './service-definitions.ts';
import { singleFlight } from './single-flight.ts';

interface ServerMetadataOptions extends AccessLogOptions {
  readonly connections: Connections;
}

const PATH = '/.well-known/oauth-authorization-server';
const TIMEOUT_MS = 2_000;

/**
 * The authorization server's metadata at the path of RFC 8414 §3: outside the API, for anyone, and without a bucket
 * (docs/oauth2.md#server-metadata). Simultaneous requests share one call.
 */
export function addServerMetadata(app: FastifyInstance, options: ServerMetadataOptions): void {
  const { client } = options.connections.oauth2;
  const response = messageName(endpointOf(oauth2.getServerMetadata), 'Response');
  const write = jsonWriter<GetServerMetadataResponse>(response);
  const writeLog = accessLog(options, PATH);
  const metadata = singleFlight<string, GetServerMetadataResponse>({
    load: (requestId) => client.getServerMetadata({}, { timeoutMs: TIMEOUT_MS, requestId }),
    keyOf: () => '',
  });

  app.get(PATH, async (request, reply) => {
    const outcome: RequestOutcome = { span: options.trace?.(request, PATH) };
    logOnClose(writeLog, request, reply, outcome);
    const { value, release } = withSpan(outcome.span, () => metadata(request.id));
    try {
      return await reply.type('application/json').send(write(await value));
    } catch (error) {
      outcome.failure = error;
      throw error;
    } finally {
      release();
    }
  });
}
