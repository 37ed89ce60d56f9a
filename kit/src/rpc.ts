/** The public exports of rpc/, for services and the edge. */
export type { BidiHandler, BidiResponses, BidiSession } from './rpc/bidi/bidi-handler.ts';
export { anonymous, type Call } from './rpc/call.ts';
export type { CallOptions } from './rpc/call-options.ts';
export {
  type Client,
  type Connection,
  type ConnectOptions,
  connect,
} from './rpc/connect.ts';
export type { MethodDefinition, RequestOf, ResponseOf, ServiceDefinition } from './rpc/definition.ts';
export {
  type Handler,
  type Handlers,
  type Implementation,
  implement,
  type StreamHandler,
} from './rpc/dispatch.ts';
export type { Transport } from './rpc/open-link.ts';
export { type ServerTls, serve } from './rpc/serve.ts';
export { type Certificates, openCertificates } from './rpc/tls/certificates.ts';
export type { ClientTls } from './rpc/tls/client-tls.ts';
