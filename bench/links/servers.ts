import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import type { IdentifyRequest, IdentifyResponse } from '@gatehouse/proto/auth';
import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js';
import { connectIdentify, GRPC_JS_IDENTIFY } from './identify.ts';

/** Serves Identify by grpc-js. Returns host:port. */
export function grpcJsServer(): Promise<string> {
  const server = new Server();
  const identify = ({ request }: { request: IdentifyRequest }, reply: sendUnaryData<IdentifyResponse>) =>
    reply(null, { identity: { account_id: '1', credential_id: request.token } });
  server.addService({ identify: GRPC_JS_IDENTIFY }, { identify });
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(`127.0.0.1:${port}`);
      else reject(error);
    });
  });
}

/** Serves Identify by connect-node over HTTP/2, in gRPC and in its own protocol. Returns host:port. */
export async function connectServer(): Promise<string> {
  const identify = connectIdentify();
  const server = createServer(
    connectNodeAdapter({
      routes: (router) =>
        router.rpc(identify, (request) => ({
          identity: { accountId: '1', credentialId: Reflect.get(request, 'token') },
        })),
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
