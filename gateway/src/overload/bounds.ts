import type { EnvReader } from '@gatehouse/kit/env';

/** Bounds of this process for each client and for all. Over a bound, new work is refused. */
export interface Bounds {
  readonly max_connections: number;
  /**
   * Maximum connections per peer; IPv6 addresses count by /64. A trusted proxy counts only towards `max_connections`.
   */
  readonly max_connections_per_address: number;
  /** Maximum connections that are WebSockets: each takes a second connection, to realtime. */
  readonly max_tunnels: number;
  /** Maximum requests that have started and are not answered. */
  readonly max_requests: number;
  /** Maximum such requests per client address. */
  readonly max_requests_per_address: number;
  /** Maximum unanswered requests per connection. At the bound its socket is not read. */
  readonly max_pipelined_requests: number;
  /** The memory budget of bodies of more than 64 KiB. One address may hold half of it; further bodies wait. */
  readonly max_long_body_bytes: number;
  /** The memory budget of shorter bodies. One address may hold half of it. */
  readonly max_short_body_bytes: number;
  /** The memory budget of unanswered requests' heads. One address may hold half of it. */
  readonly max_head_bytes: number;
  /** Maximum bytes of answers that clients have not read. */
  readonly max_unsent_bytes: number;
  /** Maximum bytes of pictures on their way to clients. */
  readonly max_media_bytes: number;
  readonly headers_timeout_ms: number;
  /** Maximum time for a whole request with its body. */
  readonly request_timeout_ms: number;
  /** Maximum time without another byte of a body. */
  readonly body_stall_timeout_ms: number;
  /** Maximum time in which the client reads no byte of an answer. */
  readonly answer_timeout_ms: number;
  /**
   * Percentage of the heap's limit. Above it long bodies and pictures are refused, and half-way between it and the
   * limit all requests.
   */
  readonly heap_percent: number;
}

const MiB = 1024 * 1024;
const MAX_SECONDS = 3_600;

/** The configured bounds; `withinDescriptors` lowers them. */
export function readBounds(read: EnvReader): Bounds {
  const count = (name: string, fallback: number, about: string): number =>
    read.integer(name, { about, min: 1, max: 1_000_000, default: fallback });
  const mebibytes = (name: string, fallback: number, about: string, min = 1): number =>
    read.integer(name, { about: `MiB ${about}`, min, max: 65_536, default: fallback }) * MiB;
  const seconds = (name: string, fallback: number, about: string): number =>
    read.integer(name, { about: `seconds ${about}`, min: 1, max: MAX_SECONDS, default: fallback }) * 1_000;
  return {
    max_connections: count('EDGE_MAX_CONNECTIONS', 10_000, 'maximum connections; idle ones make room'),
    max_connections_per_address: count(
      'EDGE_MAX_CONNECTIONS_PER_ADDRESS',
      4_000,
      'maximum connections of one address, IPv6 by /64; those of trusted proxies count only in all',
    ),
    max_tunnels: Number.POSITIVE_INFINITY,
    max_requests: count('EDGE_MAX_REQUESTS', 8_192, 'maximum requests under way'),
    max_requests_per_address: count(
      'EDGE_MAX_REQUESTS_PER_ADDRESS',
      4_096,
      'maximum requests under way of one address',
    ),
    max_pipelined_requests: count(
      'EDGE_MAX_PIPELINED_REQUESTS',
      32,
      'unanswered requests of one connection, beyond which it is not read',
    ),
    // The longest body of any route has to fit into the half of one address.
    max_long_body_bytes: mebibytes(
      'EDGE_MAX_LONG_BODY_MIB',
      64,
      'of bodies over 64 KiB; one address gets half of it',
      50,
    ),
    max_short_body_bytes: mebibytes(
      'EDGE_MAX_SHORT_BODY_MIB',
      32,
      'of other bodies; one address gets half of it',
    ),
    // Six KiB for each request that may be under way: a browser's takes four to six.
    max_head_bytes: mebibytes(
      'EDGE_MAX_HEAD_MIB',
      48,
      'of heads of unanswered requests; one address gets half of it',
    ),
    max_unsent_bytes: mebibytes('EDGE_MAX_UNSENT_MIB', 64, 'of answers that clients have not read'),
    max_media_bytes: mebibytes('EDGE_MAX_MEDIA_MIB', 48, 'of pictures that are being sent', 10),
    headers_timeout_ms: seconds(
      'EDGE_HEADERS_TIMEOUT_SECONDS',
      30,
      'until the head of a request is complete',
    ),
    request_timeout_ms: seconds('EDGE_REQUEST_TIMEOUT_SECONDS', 60, 'until its body is complete'),
    body_stall_timeout_ms: seconds('EDGE_BODY_STALL_TIMEOUT_SECONDS', 15, 'without another byte of a body'),
    answer_timeout_ms: seconds(
      'EDGE_ANSWER_TIMEOUT_SECONDS',
      30,
      'without the client reading another byte of an answer',
    ),
    heap_percent: read.integer('EDGE_HEAP_PERCENT', HEAP_PERCENT),
  };
}

const HEAP_PERCENT = {
  about:
    'percentage of the heap’s limit from which long bodies and pictures are refused; half-way from there to the limit, all requests',
  min: 10,
  max: 99,
  default: 80,
};

/**
 * Lowers the maximum connections to two thirds of the available file descriptors: each WebSocket takes a second one. One
 * address then gets at most half of the connections.
 *
 * @param descriptors available for connections in this process
 */
export function withinDescriptors(bounds: Bounds, descriptors: number): Bounds {
  const available = Math.ceil((descriptors * 2) / 3);
  const isScarce = available < bounds.max_connections;
  const max_connections = isScarce ? available : bounds.max_connections;
  const { max_connections_per_address } = bounds;
  return {
    ...bounds,
    max_connections,
    max_connections_per_address: isScarce
      ? Math.min(max_connections_per_address, Math.ceil(available / 2))
      : max_connections_per_address,
    max_tunnels: Math.max(Math.min(bounds.max_tunnels, descriptors - max_connections), 1),
  };
}
