import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';

/** A generated message type. */
export interface MessageType<Message> {
  encode(message: Message): { finish(): Uint8Array };
  decode(bytes: Uint8Array): Message;
}

interface Method<Request, Response> {
  readonly name: string;
  readonly requestType: MessageType<Request>;
  readonly responseType: MessageType<Response>;
}

/** A method in the form that grpc-js calls. */
export interface GrpcMethod<Request, Response> {
  readonly path: string;
  serialize(request: Request): Buffer;
  deserialize(bytes: Buffer): Response;
}

export function grpcMethod<Request, Response>(
  method: Method<Request, Response>,
  service: string = RatelimitServiceDefinition.fullName,
): GrpcMethod<Request, Response> {
  return {
    path: `/${service}/${method.name}`,
    serialize: (request) => {
      const { buffer, byteOffset, byteLength } = method.requestType.encode(request).finish();
      return Buffer.from(buffer, byteOffset, byteLength);
    },
    deserialize: (bytes) => method.responseType.decode(bytes),
  };
}
