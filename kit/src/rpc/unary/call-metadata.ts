import { Caller } from '@gatehouse/proto/kit/calls';
import { Metadata, type ServiceError } from '@grpc/grpc-js';
import { cancelled, Status } from '../../fault.ts';
import { anonymous } from '../call.ts';
import {
  CALLER_METADATA,
  REQUEST_ID_METADATA,
  STATUS_DETAILS_METADATA,
  TRACEPARENT_METADATA,
} from '../limits.ts';
import { asBuffer, encodeMessage } from '../messages/codec.ts';
import { decodeFault } from '../messages/fault-wire.ts';
import type { OutgoingCall } from '../outgoing-call.ts';
import { Unreachable } from '../unreachable.ts';

const NO_BYTES = new Uint8Array();

/** The metadata of a call by grpc-js. */
export function metadataOf({
  caller,
  requestId,
  traceparent,
}: Pick<OutgoingCall, 'caller' | 'requestId' | 'traceparent'>): Metadata {
  const metadata = new Metadata();
  if (caller !== anonymous) metadata.set(CALLER_METADATA, asBuffer(encodeMessage(Caller, caller)));
  if (requestId !== '') metadata.set(REQUEST_ID_METADATA, requestId);
  if (traceparent !== '') metadata.set(TRACEPARENT_METADATA, traceparent);
  return metadata;
}

/** Converts the error of a grpc-js call to a fault. */
export function faultOf(error: ServiceError | null, signal: AbortSignal | undefined): Error {
  const [details] = error?.metadata?.get(STATUS_DETAILS_METADATA) ?? [];
  const status = error?.code ?? Status.INTERNAL;
  if (details instanceof Buffer) return decodeFault(status, details, error);
  if (status === Status.CANCELLED && signal?.aborted === true) return cancelled();
  // grpc-js reports a reset stream this way. No server of ours answers so: the connection broke.
  if (status === Status.CANCELLED || status === Status.INTERNAL) return new Unreachable(error);
  return decodeFault(status, NO_BYTES, error);
}
