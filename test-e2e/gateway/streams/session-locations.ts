import type { Outage, ReplicaProcess } from './replica-process.ts';

/** The replicas that may hold a session, as far as its client can know. */
export interface SessionLocations {
  /** The replica sent an event on a connection opened at `opened_ms`. The event may be older than its arrival. */
  receivedFrom(replica: ReplicaProcess, opened_ms: number): void;
  /** A Resume was sent to the replica, which may hold the session now. */
  resumeSent(replica: ReplicaProcess): void;
  /**
   * Whether a replica that may have held the session was killed since, or stopped without a replica to transfer it
   * to.
   */
  mayBeLost(): boolean;
}

export function sessionLocations(replicas: readonly ReplicaProcess[]): SessionLocations {
  let at = new Set<ReplicaProcess>();
  let heardAt_ms = 0;

  /** A stopping replica transfers its sessions to the others. */
  function spread(): void {
    for (const replica of [...at])
      if (since(replica).some(({ kind }) => kind === 'SIGTERM')) for (const other of replicas) at.add(other);
  }

  function since({ outages }: ReplicaProcess): readonly Outage[] {
    return outages.filter(({ to_ms }) => to_ms > heardAt_ms);
  }

  return {
    receivedFrom: (replica, opened_ms) => {
      at = new Set([replica]);
      heardAt_ms = opened_ms;
    },
    resumeSent: (replica) => {
      at.add(replica);
    },
    mayBeLost: () => {
      spread();
      return [...at].some((replica) =>
        since(replica).some(
          (outage) =>
            outage.kind === 'SIGKILL' ||
            replicas.every((other) => other === replica || since(other).some((one) => overlap(one, outage))),
        ),
      );
    },
  };
}

function overlap(one: Outage, other: Outage): boolean {
  return one.from_ms < other.to_ms && other.from_ms < one.to_ms;
}
