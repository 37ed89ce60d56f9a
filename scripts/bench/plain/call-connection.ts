import { type ClientTls, channelTls } from '@gatehouse/kit/rpc/client-tls';
import { MAX_FRAME_BYTES } from '@gatehouse/kit/rpc/limits';
import type { CallConnection } from '@gatehouse/kit/rpc/stream/call-connection';
import type { MessageStream, StreamEvents } from '@gatehouse/kit/rpc/stream/message-stream';
import { Client, connectivityState, Metadata } from '@grpc/grpc-js';

const PREFIX_BYTES = 5;

/** The connection of call streams as a channel of grpc-js. */
export function callConnection(address: string, tls?: ClientTls): CallConnection {
  const { via, options } = channelTls(tls);
  const client = new Client(address, via, {
    ...options,
    'grpc.max_receive_message_length': MAX_FRAME_BYTES,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 500,
  });
  const channel = client.getChannel();
  channel.getConnectivityState(true);
  return {
    state: () => {
      switch (channel.getConnectivityState(true)) {
        case connectivityState.READY:
          return 'connected';
        case connectivityState.TRANSIENT_FAILURE:
          return 'failed';
        default:
          return 'connecting';
      }
    },
    generation: () => 1, // of those that it makes, grpc-js tells nothing
    open: (path, events) => openMessages(client, path, events),
    close: () => client.close(),
  };
}

function openMessages(client: Client, path: string, on: StreamEvents): MessageStream {
  const stream = client.makeBidiStreamRequest(
    path,
    (bytes: Uint8Array) => bytes as Buffer,
    (bytes: Buffer) => bytes,
    new Metadata(),
  );
  let isLost = false;
  const lost = (cause: unknown): void => {
    if (!isLost) on.lost(cause);
    isLost = true;
  };
  stream.on('data', on.message);
  stream.on('drain', on.drained);
  stream.on('error', lost);
  stream.on('status', () => lost(new Error('the peer ended the call stream')));
  return {
    write: (prefixed) => stream.write(prefixed.subarray(PREFIX_BYTES)),
    end: () => stream.end(),
    cancel: () => stream.cancel(),
  };
}
