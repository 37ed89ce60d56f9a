import { create } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { connect } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition, type IdentifyResponse } from '@gatehouse/proto/auth';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { Client, credentials } from '@grpc/grpc-js';
import { connectIdentify, GRPC_JS_IDENTIFY } from './identify.ts';

/** A client of Identify on one connection. Its calls have deadlines, like all calls between processes. */
export interface IdentifyClient {
  readonly name: string;
  identify(): Promise<unknown>;
  close(): void;
}

export interface ServerAddresses {
  readonly kit: string;
  readonly grpcJs: string;
  readonly connect: string;
}

const TIMEOUT_MS = 10_000;
const REQUEST = { kind: CallerKind.CALLER_KIND_SESSION, token: `gth_${'a'.repeat(36)}` };

export function identifyClients(addresses: ServerAddresses): IdentifyClient[] {
  return [
    kitClient('call stream', addresses.kit, 'stream'),
    kitClient('unary, by the kit', addresses.kit, 'unary'),
    grpcJsClient('grpc-js', addresses.grpcJs),
    connectClient('connect-node, gRPC', addresses.connect, createGrpcTransport),
    connectClient('connect-node, Connect', addresses.connect, (options) =>
      createConnectTransport({ ...options, httpVersion: '2', useBinaryFormat: true }),
    ),
  ];
}

function kitClient(name: string, address: string, transport: 'stream' | 'unary'): IdentifyClient {
  const { client, close } = connect(AuthServiceDefinition, { address, transport });
  return { name, identify: () => client.identify(REQUEST, { timeoutMs: TIMEOUT_MS }), close };
}

function grpcJsClient(name: string, address: string): IdentifyClient {
  const client = new Client(address, credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = GRPC_JS_IDENTIFY;
  const identify = () =>
    new Promise<IdentifyResponse | undefined>((resolve, reject) => {
      client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        REQUEST,
        { deadline: Date.now() + TIMEOUT_MS },
        (error, response) => (error === null ? resolve(response) : reject(error)),
      );
    });
  return { name, identify, close: () => client.close() };
}

function connectClient(
  name: string,
  address: string,
  open: (options: { baseUrl: string; sessionManager: Http2SessionManager }) => Transport,
): IdentifyClient {
  const baseUrl = `http://${address}`;
  const sessionManager = new Http2SessionManager(baseUrl);
  const transport = open({ baseUrl, sessionManager });
  const method = connectIdentify();
  return {
    name,
    identify: () => transport.unary(method, undefined, TIMEOUT_MS, undefined, create(method.input, REQUEST)),
    close: () => sessionManager.abort(),
  };
}
