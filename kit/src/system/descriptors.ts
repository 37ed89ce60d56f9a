/** File descriptors kept for the process itself: database, Redis, other processes, files, metrics. */
const RESERVE = 256;
/** An idle HTTP/2 session takes some 30 KB. */
const MAX_PEERS = 4_096;

/** How many connections a process may accept without running out of file descriptors. */
export interface ConnectionLimits {
  /** In total; Infinity if the system sets no limit. */
  readonly all: number;
  /** From other processes, over gRPC. */
  readonly peers: number;
  /** From clients, in a process that other processes connect to as well. */
  readonly clients: number;
}

/** @param limit of open file descriptors. Default: the process's limit */
export function connectionLimits(limit = descriptorLimit()): ConnectionLimits {
  const all = limit - Math.min(RESERVE, Math.floor(limit / 2));
  const peers = Math.min(MAX_PEERS, Math.floor(all / 4));
  return { all, peers, clients: all - peers };
}

/** Servers of one process: no more than this. */
const MAX_SERVERS = 8;

/**
 * The limits for each of the servers that share a process. The total has four quarters: connections of other
 * processes, the edge's clients, realtime's clients, and the edge's connections to realtime, one for each WebSocket.
 */
export function sharedConnectionLimits(limit = descriptorLimit()): ConnectionLimits {
  const { all, peers } = connectionLimits(limit);
  const quarter = Math.floor(all / 4);
  return { all: quarter, peers: Math.floor(peers / MAX_SERVERS), clients: quarter };
}

/** Node raises the soft limit to the hard limit when it starts. */
function descriptorLimit(): number {
  const { report } = process;
  Object.assign(report, { excludeNetwork: true }); // otherwise the names of all peers are resolved
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}
