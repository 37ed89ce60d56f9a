import type { EnvReader } from '@gatehouse/kit/env';

/** What clients may hold of this process, together and each. Past a bound, new work is refused. */
export interface Bounds {
  readonly max_connections: number;
  /** Of one peer, IPv6 by /64. A trusted proxy's count in all only. */
  readonly max_connections_per_address: number;
  /** Under way: begun, and not answered. */
  readonly max_requests: number;
  /** Of one client's address. */
  readonly max_requests_per_address: number;
  /** Unanswered on one connection: its socket is not read meanwhile. */
  readonly max_pipelined_requests: number;
  /** Of all bodies of more than 64 KiB, of one address half of it; those that find no room wait for it. */
  readonly max_long_body_bytes: number;
  /** Of all other bodies that are not complete, and as many of bytes that are no request yet; half of it of one address. */
  readonly max_short_body_bytes: number;
  /** Of all answers that clients have not taken yet. */
  readonly max_unsent_bytes: number;
  /** Of pictures on their way to clients. */
  readonly max_media_bytes: number;
  readonly headers_timeout_ms: number;
  /** Of a whole request, its body included. */
  readonly request_timeout_ms: number;
  /** Without a further byte of a body. */
  readonly body_stall_timeout_ms: number;
  /** Without a further byte of an answer taken. */
  readonly answer_timeout_ms: number;
  /** Of the heap's limit: from here on long bodies and pictures are refused, and from half-way to the limit all requests. */
  readonly heap_percent: number;
}

const MiB = 1024 * 1024;
const MAX_SECONDS = 3_600;

export function readBounds(read: EnvReader): Bounds {
  const count = (name: string, fallback: number): number =>
    read.integer(name, { min: 1, max: 1_000_000, default: fallback });
  const mebibytes = (name: string, fallback: number, min = 1): number =>
    read.integer(name, { min, max: 65_536, default: fallback }) * MiB;
  const seconds = (name: string, fallback: number): number =>
    read.integer(name, { min: 1, max: MAX_SECONDS, default: fallback }) * 1_000;
  return {
    max_connections: count('EDGE_MAX_CONNECTIONS', 10_000),
    max_connections_per_address: count('EDGE_MAX_CONNECTIONS_PER_ADDRESS', 4_000),
    max_requests: count('EDGE_MAX_REQUESTS', 8_192),
    max_requests_per_address: count('EDGE_MAX_REQUESTS_PER_ADDRESS', 4_096),
    max_pipelined_requests: count('EDGE_MAX_PIPELINED_REQUESTS', 32),
    // The longest body of any route has to fit into a client's half.
    max_long_body_bytes: mebibytes('EDGE_MAX_LONG_BODY_MIB', 64, 50),
    max_short_body_bytes: mebibytes('EDGE_MAX_SHORT_BODY_MIB', 32),
    max_unsent_bytes: mebibytes('EDGE_MAX_UNSENT_MIB', 64),
    max_media_bytes: mebibytes('EDGE_MAX_MEDIA_MIB', 48, 10),
    headers_timeout_ms: seconds('EDGE_HEADERS_TIMEOUT_SECONDS', 30),
    request_timeout_ms: seconds('EDGE_REQUEST_TIMEOUT_SECONDS', 60),
    body_stall_timeout_ms: seconds('EDGE_BODY_STALL_TIMEOUT_SECONDS', 15),
    answer_timeout_ms: seconds('EDGE_ANSWER_TIMEOUT_SECONDS', 30),
    heap_percent: read.integer('EDGE_HEAP_PERCENT', { min: 10, max: 99, default: 80 }),
  };
}
