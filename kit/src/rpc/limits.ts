/** Most bytes of a request on a call stream; longer ones go unary, so that none delays the others. */
export const STREAM_REQUEST_BYTES = 64 * 1024;
/** Most bytes of an answer in one frame; longer ones leave in parts. */
export const PART_BYTES = 64 * 1024;
/**
 * Most bytes of a frame. A writer ends one that has come to PART_BYTES, so it is never longer than that and one
 * request, its caller, and the IDs of the calls that are given up.
 */
export const MAX_FRAME_BYTES = 256 * 1024;
/** Most calls open on one stream, and most waiting in a client: so also most in a frame, and most given up in one. */
export const MAX_OPEN_CALLS = 4096;
/** Most answers in a frame: the shortest takes six bytes, and a frame that has come to PART_BYTES takes no more. */
export const MAX_FRAME_ANSWERS = PART_BYTES / 4;
/** Answers that wait in a server from which on it reads no further calls of that stream. */
export const MAX_WAITING_ANSWERS = 1024;
/** Most bytes of a message on a unary call: above the largest body of any route (25 MiB). */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Metadata of unary calls. */
export const CALLER_METADATA = 'gatehouse-caller-bin';
export const REQUEST_ID_METADATA = 'x-request-id';
export const STATUS_DETAILS_METADATA = 'grpc-status-details-bin';
