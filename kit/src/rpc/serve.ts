import { HealthDefinition } from '@gatehouse/proto/grpc/health';
import { CallsDefinition } from '@gatehouse/proto/kit/calls';
import type { PeerRules } from '@gatehouse/proto/kit/peer-rules';
import { Server } from '@grpc/grpc-js';
import type { Running } from '../lifecycle.ts';
import type { Logger } from '../log.ts';
import type { RpcMetrics } from '../metrics/rpc-metrics.ts';
import type { Tracer } from '../trace/tracer.ts';
import { type AccessOf, accessTo } from './access.ts';
import { addBidiMethods } from './bidi/bidi-server.ts';
import { DirectServer } from './direct/direct-server.ts';
import type { LocalServers } from './direct/local-servers.ts';
import {
  callWatch,
  type Implementation,
  type ServedBidi,
  type ServedMethod,
  type ServedStream,
} from './dispatch.ts';
import { addHealth } from './health.ts';
import { MAX_MESSAGE_BYTES, MAX_OPEN_CALLS } from './limits.ts';
import { listener } from './listener.ts';
import { addReflection } from './reflection/reflection.ts';
import { addCallStream } from './stream/stream-service.ts';
import { addStreamingMethods } from './streaming/streaming-server.ts';
import type { Certificates } from './tls/certificates.ts';
import { addUnaryMethods } from './unary/unary-server.ts';

const SHUTDOWN_TIMEOUT_MS = 8_000;
const SERVER_OPTIONS = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_concurrent_streams': MAX_OPEN_CALLS,
  'grpc.enable_channelz': 0, // statistics of connections, which nobody reads, at a cost for each call
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
};

export interface ServeOptions {
  /** host:port. Port 0 takes a free port. */
  readonly address: string;
  readonly implementations: readonly Implementation[];
  readonly log: Logger;
  readonly metrics?: RpcMetrics | undefined;
  /** Records spans of calls whose callers trace them. */
  readonly tracer?: Tracer | undefined;
  /** Mutual TLS. Without it, every peer that reaches the port may call every method. */
  readonly tls?: ServerTls | undefined;
  /** Maximum open connections. Default: what the process's file descriptors allow. */
  readonly max_connections?: number;
  /** Lets services of the same process call without a connection. */
  readonly local?: LocalService | undefined;
}

export interface LocalService {
  readonly servers: LocalServers;
  readonly peers: PeerRules;
}

export interface ServerTls {
  readonly certificates: Certificates;
  readonly peers: PeerRules;
}

export interface Serving extends Running {
  /** Answers health checks with NOT_SERVING, and asks clients to make their calls elsewhere. Still takes calls. */
  stopServing(): void;
}

/**
 * Serves services on one port, with grpc.health.v1 and reflection. The same handlers answer unary RPCs and the call
 * stream. `close` answers health checks with NOT_SERVING, refuses new calls, ends streams with UNAVAILABLE, so that their
 * clients continue elsewhere, and waits up to 8 s for open calls.
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { address, implementations, log, metrics, tracer, tls, local, max_connections } = options;
  const server = new Server(SERVER_OPTIONS);
  const methods = new Map<string, ServedMethod>();
  const streaming = new Map<string, ServedStream>();
  const bidi = new Map<string, ServedBidi>();
  const accessOf = accessTo(methods, tls?.peers, log);
  const streamAccessOf = accessTo(streaming, tls?.peers, log);
  const bidiAccessOf = accessTo(bidi, tls?.peers, log);
  const connections = listener(server, { certificates: tls?.certificates, max_connections, log });
  const access: AccessOf = (call) => accessOf(connections.peerOf(call));
  const streamAccess: AccessOf<ServedStream> = (call) => streamAccessOf(connections.peerOf(call));
  const bidiAccess: AccessOf<ServedBidi> = (call) => bidiAccessOf(connections.peerOf(call));
  const watch = callWatch(log, metrics, tracer);
  for (const { service, methods: served, streams, bidi: duplex } of implementations) {
    for (const method of served) methods.set(method.path, method);
    for (const method of streams) streaming.set(method.path, method);
    for (const method of duplex) bidi.set(method.path, method);
    addUnaryMethods(server, served, access, log, watch);
    log.debug({ service: service.fullName }, 'serving');
  }
  const streamingMethods = addStreamingMethods(server, [...streaming.values()], streamAccess, log, watch);
  const bidiStreams = addBidiMethods(server, [...bidi.values()], bidiAccess, log, watch);
  const callStreams = addCallStream(server, access, log, watch);
  const names = implementations.map(({ service }) => service.fullName);
  const health = addHealth(server, names);
  addReflection(server, [...names, CallsDefinition.fullName, HealthDefinition.fullName]);

  const direct = new DirectServer({
    accessOf: accessTo(methods, local?.peers, log),
    streamAccessOf: accessTo(streaming, local?.peers, log),
    log,
    watch,
    frozen: local?.servers.frozen ?? false,
  });

  const port = await connections.listen(address);
  const bound = `${address.slice(0, address.lastIndexOf(':'))}:${port}`;
  local?.servers.add(bound, direct);

  function stopServing(): void {
    health.stop();
    callStreams.drain();
    direct.drain();
  }

  return {
    address: bound,
    stopServing,
    close: async () => {
      stopServing();
      local?.servers.remove(bound);
      streamingMethods.drain();
      bidiStreams.drain();
      const closed = Promise.all([connections.close(), direct.close()]);
      await shutDown(server, closed, () => {
        log.warn('calls were still open at shutdown and are cut off');
        connections.cutOff(); // grpc-js's forceShutdown would not: without channelz it does not know its connections
        direct.cutOff();
      });
    },
  };
}

/** Waits for open calls, and cuts them off after a while. */
async function shutDown(server: Server, closed: Promise<unknown>, cutOff: () => void): Promise<void> {
  const force = setTimeout(() => {
    server.forceShutdown();
    cutOff();
  }, SHUTDOWN_TIMEOUT_MS);
  await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  await closed;
  clearTimeout(force);
}
