/** The longest request on a call stream. A longer one goes as a unary RPC, so that it does not delay others. */
export const STREAM_REQUEST_BYTES = 64 * 1024;
/** The longest answer in one frame. A longer one is sent in parts of this length. */
export const PART_BYTES = 64 * 1024;
/**
 * The longest frame. A writer starts a new frame when one has reached PART_BYTES. So a frame is at most that long,
 * plus one request, its caller, and the IDs of cancelled calls.
 */
export const MAX_FRAME_BYTES = 256 * 1024;
/** Most calls open on one stream. So also the most calls, and the most cancelled calls, in one frame. */
export const MAX_OPEN_CALLS = 4096;
/** Most answers in a frame. The shortest answer takes six bytes, and a frame is full at PART_BYTES. */
export const MAX_FRAME_ANSWERS = PART_BYTES / 4;
/** Once this many answers wait for a client, the server stops reading its calls. */
export const MAX_WAITING_ANSWERS = 1024;
/** The longest message of a unary RPC. The largest body of any route is 25 MiB. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Metadata of unary RPCs. */
export const CALLER_METADATA = 'gatehouse-caller-bin';
export const REQUEST_ID_METADATA = 'x-request-id';
export const TRACEPARENT_METADATA = 'traceparent';
export const STATUS_DETAILS_METADATA = 'grpc-status-details-bin';
