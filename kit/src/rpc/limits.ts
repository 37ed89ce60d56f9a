/** Maximum length of a request on a call stream. A longer one is a unary RPC, so that it does not delay others. */
export const STREAM_REQUEST_BYTES = 64 * 1024;
/** Maximum length of an answer in one frame. A longer one is sent in parts of this length. */
export const PART_BYTES = 64 * 1024;
/**
 * Maximum length of a frame. A writer begins a new frame when one has reached PART_BYTES, so a frame has at most that
 * length plus one request, its caller, and the IDs of cancelled calls.
 */
export const MAX_FRAME_BYTES = 256 * 1024;
/** Maximum open calls on one stream, and so maximum calls, and cancelled calls, in one frame. */
export const MAX_OPEN_CALLS = 4096;
/** Maximum answers in a frame. The shortest answer takes six bytes, and a frame is full at PART_BYTES. */
export const MAX_FRAME_ANSWERS = PART_BYTES / 4;
/** When this many answers wait for a client, the server stops reading its calls. */
export const MAX_WAITING_ANSWERS = 1024;
/**
 * Maximum length of a message. The longest response is the JSON of 200 guilds with 250 roles each, some 36 MiB; the
 * largest body of any route is 25 MiB.
 */
export const MAX_MESSAGE_BYTES = 40 * 1024 * 1024;

/** Length of gRPC's prefix of a message: one byte for compression, and the length in four bytes. */
export const PREFIX_BYTES = 5;

/** Metadata of unary RPCs. */
export const CALLER_METADATA = 'gatehouse-caller-bin';
export const REQUEST_ID_METADATA = 'x-request-id';
export const TRACEPARENT_METADATA = 'traceparent';
export const STATUS_DETAILS_METADATA = 'grpc-status-details-bin';
