import type { EnvReader } from '@gatehouse/kit/env';

/** What clients may hold of this process, each and together. Beyond a bound, new work is refused. */
export interface Bounds {
  readonly max_connections: number;
  /** Connections of one peer, IPv6 by /64. Those of a trusted proxy count only towards `max_connections`. */
  readonly max_connections_per_address: number;
  /** Connections that are WebSockets: each takes another connection, to realtime. */
  readonly max_tunnels: number;
  /** Requests that have started and are not answered. */
  readonly max_requests: number;
  /** Such requests of one client address. */
  readonly max_requests_per_address: number;
  /** Unanswered requests of one connection. At the bound its socket is not read. */
  readonly max_pipelined_requests: number;
  /** The memory budget of bodies of more than 64 KiB. One address may hold half of it; further bodies wait. */
  readonly max_long_body_bytes: number;
  /** The memory budget of shorter bodies. One address may hold half of it. */
  readonly max_short_body_bytes: number;
  /** The memory budget of unanswered requests' heads. One address may hold half of it. */
  readonly max_head_bytes: number;
  /** Bytes of answers that clients have not taken yet. */
  readonly max_unsent_bytes: number;
  /** Bytes of pictures that are being sent. */
  readonly max_media_bytes: number;
  readonly headers_timeout_ms: number;
  /** For a whole request with its body. */
  readonly request_timeout_ms: number;
  /** Without another byte of a body. */
  readonly body_stall_timeout_ms: number;
  /** Without the client taking another byte of an answer. */
  readonly answer_timeout_ms: number;
  /** Of the heap's limit. From here on long bodies and pictures are refused, from half-way to the limit all requests. */
  readonly heap_percent: number;
}

const MiB = 1024 * 1024;
const MAX_SECONDS = 3_600;

/** The settings as they are; `withinPlaces` lowers them. */
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
    max_tunnels: Number.POSITIVE_INFINITY,
    max_requests: count('EDGE_MAX_REQUESTS', 8_192),
    max_requests_per_address: count('EDGE_MAX_REQUESTS_PER_ADDRESS', 4_096),
    max_pipelined_requests: count('EDGE_MAX_PIPELINED_REQUESTS', 32),
    // The longest body of any route has to fit into the half of one address.
    max_long_body_bytes: mebibytes('EDGE_MAX_LONG_BODY_MIB', 64, 50),
    max_short_body_bytes: mebibytes('EDGE_MAX_SHORT_BODY_MIB', 32),
    // Six KiB for each request that may be under way: a browser's takes four to six.
    max_head_bytes: mebibytes('EDGE_MAX_HEAD_MIB', 48),
    max_unsent_bytes: mebibytes('EDGE_MAX_UNSENT_MIB', 64),
    max_media_bytes: mebibytes('EDGE_MAX_MEDIA_MIB', 48, 10),
    headers_timeout_ms: seconds('EDGE_HEADERS_TIMEOUT_SECONDS', 30),
    request_timeout_ms: seconds('EDGE_REQUEST_TIMEOUT_SECONDS', 60),
    body_stall_timeout_ms: seconds('EDGE_BODY_STALL_TIMEOUT_SECONDS', 15),
    answer_timeout_ms: seconds('EDGE_ANSWER_TIMEOUT_SECONDS', 30),
    heap_percent: read.integer('EDGE_HEAP_PERCENT', { min: 10, max: 99, default: 80 }),
  };
}

/**
 * As many connections as there are descriptors for: a third of them is left for the other ends of WebSockets. Where that
 * is less than is set, one address gets half of it at most.
 *
 * @param places how many connections the process may have
 */
export function withinPlaces(bounds: Bounds, places: number): Bounds {
  const most = Math.ceil((places * 2) / 3);
  const isScarce = most < bounds.max_connections;
  const max_connections = isScarce ? most : bounds.max_connections;
  const { max_connections_per_address: each } = bounds;
  return {
    ...bounds,
    max_connections,
    max_connections_per_address: isScarce ? Math.min(each, Math.ceil(most / 2)) : each,
    max_tunnels: Math.max(Math.min(bounds.max_tunnels, places - max_connections), 1),
  };
}
