/** Most bytes of a request on a call stream; longer ones go unary, so that none delays the others. */
export const STREAM_REQUEST_BYTES = 64 * 1024;
/** Most bytes of an answer in one frame; longer ones leave in parts. */
export const PART_BYTES = 64 * 1024;
/** Most calls open on one stream, and most waiting in a client. */
export const MAX_OPEN_CALLS = 4096;
/** Answers that wait in a server from which on it reads no further calls of that stream. */
export const MAX_WAITING_ANSWERS = 1024;
/** Most bytes of a message on a unary call: above the largest body of any route (25 MiB). */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Metadata of unary calls. */
export const CALLER_METADATA = 'gatehouse-caller-bin';
export const REQUEST_ID_METADATA = 'x-request-id';
export const STATUS_DETAILS_METADATA = 'grpc-status-details-bin';
