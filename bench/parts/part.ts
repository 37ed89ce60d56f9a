/** Runs one part of a bench, named on the command line, in this process: `part.ts bare`. */

import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@gatehouse/kit/log';
import {
  type Handlers,
  type Implementation,
  implement,
  openCertificates,
  type ServiceDefinition,
  serve,
} from '@gatehouse/kit/rpc';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { peerRules } from '@gatehouse/proto/peers';
import type { ServerName } from '@gatehouse/proto/services';
import { WebhookDeliveryServiceDefinition } from '@gatehouse/proto/webhook-delivery';
import { fastify } from 'fastify';

const SETTLING_MS = 200;
const SETTLED_BYTES = 32 * 1024;

const PARTS: Readonly<Record<string, () => Promise<string>>> = {
  bare,
  'http-proxy': async () => (await import('../all/peers/http-proxy.ts')).httpProxy(process.env),
  stubs,
  gateway,
  ratelimit,
  'empty-grpc': emptyGrpc,
  'grpc-js': async () => (await import('../links/servers.ts')).grpcJsServer(),
  'connect-node': async () => (await import('../links/servers.ts')).connectServer(),
  'oidc-provider': oidcProvider,
  realtime,
  'bare-ws': async () => (await import('../realtime/broadcast-servers.ts')).bareWs(),
  'socket.io': async () => (await import('../realtime/broadcast-servers.ts')).socketIo(),
};

process.on('disconnect', () => process.exit()); // the bench is gone
process.on('message', () => {
  void settledMemory().then((memory) => process.send?.(memory));
});
const part = PARTS[process.argv[2] ?? ''];
if (part === undefined) throw new Error(`unknown part; there are ${Object.keys(PARTS).join(', ')}`);
process.send?.(await part());

/** Memory once further garbage collections free nothing. */
async function settledMemory(): Promise<NodeJS.MemoryUsage> {
  for (let before = 0; ; ) {
    globalThis.gc?.();
    await sleep(SETTLING_MS);
    const memory = process.memoryUsage();
    const held = memory.heapUsed + memory.external;
    if (Math.abs(held - before) < SETTLED_BYTES) return memory;
    before = held;
  }
}

/** A Fastify route with nothing behind it. */
async function bare(): Promise<string> {
  const app = fastify();
  app.get('/', (_request, reply) => reply.send({ ok: true }));
  return new URL(await app.listen({ host: '127.0.0.1', port: 0 })).host;
}

/**
 * Stubs of services that answer at once, so only the calls themselves are measured. Returns the addresses of
 * webhook-delivery and auth. They use mutual TLS if RPC_TLS_DIR is set.
 */
async function stubs(): Promise<string> {
  const webhooks = handlersOf(WebhookDeliveryServiceDefinition, {
    getTokenWebhook: ({ webhook_id, token }) => ({
      webhook: {
        id: webhook_id,
        guild_id: '1',
        channel_id: '2',
        name: 'bench',
        avatar: null,
        token,
        type: 1,
        application_id: null,
        url: 'https://bench.test',
      },
    }),
    executeCodehost: () => ({}),
  });
  const auth = handlersOf(AuthServiceDefinition, {
    identify: ({ token }) => ({ identity: { account_id: '1', credential_id: token } }),
  });
  const log = createLogger({ name: 'stubs' });
  const { RPC_TLS_DIR: folder } = process.env;
  const serveAs = (name: ServerName, implementation: Implementation) => {
    const certificates = folder
      ? openCertificates({ files: certificateFilesIn(folder, name), name, log })
      : undefined;
    return serve({
      address: '127.0.0.1:0',
      log,
      implementations: [implementation],
      tls: certificates && { certificates, peers: peerRules(name) },
    });
  };
  const servers = await Promise.all([
    serveAs('webhook-delivery', implement(WebhookDeliveryServiceDefinition, webhooks)),
    serveAs('auth', implement(AuthServiceDefinition, auth)),
  ]);
  return servers.map(({ address }) => address).join(',');
}

/** The real edge, with the services of its environment. */
async function gateway(): Promise<string> {
  const [{ start }, { readConfig }] = await Promise.all([
    import('@gatehouse/gateway/start'),
    import('@gatehouse/gateway/config'),
  ]);
  return (await start(readConfig(process.env))).address;
}

/** The real ratelimit service, on a free port. */
async function ratelimit(): Promise<string> {
  const [{ start }, { readConfig }] = await Promise.all([
    import('@gatehouse/ratelimit/start'),
    import('@gatehouse/ratelimit/config'),
  ]);
  return (await start({ ...readConfig(process.env), listen: '127.0.0.1:0' })).address;
}

/** The real realtime service. Returns the address of its WebSockets. */
async function realtime(): Promise<string> {
  const [{ start }, { readConfig }] = await Promise.all([
    import('@gatehouse/realtime/start'),
    import('@gatehouse/realtime/config'),
  ]);
  return (await start({ ...readConfig(process.env), listen: '127.0.0.1:0' })).gateway_address;
}

/** oidc-provider, on a free port. */
async function oidcProvider(): Promise<string> {
  return (await import('../oauth2/oidc-provider.ts')).oidcProvider(process.env);
}

/** A unary RPC of grpc-js with empty messages and an empty handler. */
async function emptyGrpc(): Promise<string> {
  const { Server, ServerCredentials } = await import('@grpc/grpc-js');
  const same = (bytes: Buffer): Buffer => bytes;
  const server = new Server();
  const method = {
    path: '/bench.Empty/Call',
    requestStream: false,
    responseStream: false,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
  server.addService(
    { call: method },
    {
      call: (_request: unknown, reply: (error: null, response: Buffer) => void) =>
        reply(null, Buffer.alloc(0)),
    },
  );
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(`127.0.0.1:${port}`);
      else reject(error);
    });
  });
}

/** Handlers for a bench that calls only some of them. */
function handlersOf<const D extends ServiceDefinition>(service: D, some: Partial<Handlers<D>>): Handlers<D> {
  const refuse = (): never => {
    throw new Error('no part of this bench');
  };
  return {
    ...Object.fromEntries(Object.keys(service.methods).map((name) => [name, refuse])),
    ...some,
  } as Handlers<D>;
}
