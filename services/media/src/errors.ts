import { type Fault, faultsOf, unavailable } from '@gatehouse/kit/fault';
import { ERRORS } from '@gatehouse/proto/errors';

/** Creates an error of the catalogue (proto/errors.ts). */
export const fault = faultsOf(ERRORS);

/** 404: the picture is unknown or not in this slot. Clients get the same text for any unknown path. */
export function unknownPicture(): Fault {
  return fault('NOT_FOUND');
}

/** 400: an invalid request of a service. Clients cannot cause it. */
export function badRequest(message: string): Fault {
  return fault('BAD_REQUEST', { message });
}

/** 503: the decoder process ended by itself. */
export function decoderEnded(how: string): Fault {
  return unavailable(new Error(`the decoder ended in the middle of a picture: ${how}`));
}

/** 503: the decoder process could not be started. */
export function decoderNotStarted(how: string): Fault {
  return unavailable(new Error(`no decoder could be started: ${how}`));
}
