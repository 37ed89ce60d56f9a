import { Fault, Status, unavailable } from '@gatehouse/kit/fault';

/** 404: there is no such picture, or not in this slot. Clients get this text, the same as for any unknown path. */
export function unknownPicture(): Fault {
  return new Fault({ status: Status.NOT_FOUND, reason: 'NOT_FOUND', message: 'There is nothing here.' });
}

/** 400: an invalid request of a service. Clients cannot cause it. */
export function badRequest(message: string): Fault {
  return new Fault({ status: Status.INVALID_ARGUMENT, reason: 'BAD_REQUEST', message });
}

/** 503: the decoder process ended by itself. */
export function decoderEnded(how: string): Fault {
  return unavailable(new Error(`the decoder ended in the middle of a picture: ${how}`));
}

/** 503: the decoder process could not be started. */
export function decoderNotStarted(how: string): Fault {
  return unavailable(new Error(`no decoder could be started: ${how}`));
}
