/** Descriptors kept for what a process opens itself: database, Redis, other processes, files, metrics. */
const RESERVE = 256;
/** An idle HTTP/2 session takes some 30 KB. */
const MAX_PEERS = 4_096;

/** How many connections a process may accept, so that it can still open what it needs. */
export interface ConnectionLimits {
  /** Together; Infinity where the system sets no limit. */
  readonly all: number;
  /** Of other processes, over gRPC. */
  readonly peers: number;
  /** Of clients, where other processes connect too: the rest. */
  readonly clients: number;
}

/** @param limit of open descriptors; what the system allows this process unless given */
export function connectionLimits(limit = descriptorLimit()): ConnectionLimits {
  const all = limit - Math.min(RESERVE, Math.floor(limit / 2));
  const peers = Math.min(MAX_PEERS, Math.floor(all / 4));
  return { all, peers, clients: all - peers };
}

/** Servers that share a process, at most. */
const SERVERS = 8;

/**
 * The same for each of the servers that share a process. A quarter of the places is for connections of other processes; the
 * edge has one, realtime another; and the last is for the edge's connections to realtime, one a WebSocket.
 */
export function sharedConnectionLimits(limit = descriptorLimit()): ConnectionLimits {
  const { all, peers } = connectionLimits(limit);
  const quarter = Math.floor(all / 4);
  return { all: quarter, peers: Math.floor(peers / SERVERS), clients: quarter };
}

/** Node raises the soft limit to the hard one when it starts. */
function descriptorLimit(): number {
  const { report } = process;
  Object.assign(report, { excludeNetwork: true }); // else the names of all peers are looked up
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}
