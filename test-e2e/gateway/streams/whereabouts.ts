import type { Outage, ReplicaProcess } from './replica-process.ts';

/** The replicas at which a session may be, as far as its client can know. */
export interface Whereabouts {
  /** It told the client something over a connection that was opened then: what is read now may be from long before. */
  heardFrom(replica: ReplicaProcess, opened_ms: number): void;
  /** It was asked to resume the session, and may have it already. */
  asked(replica: ReplicaProcess): void;
  /** A replica that may have had it was killed since it was heard of, or stopped with nobody there to give it to. */
  mayBeLost(): boolean;
}

export function whereabouts(replicas: readonly ReplicaProcess[]): Whereabouts {
  let at = new Set<ReplicaProcess>();
  let heardAt_ms = 0;

  /** One that stops gives its sessions to the others. */
  function spread(): void {
    for (const replica of [...at])
      if (since(replica).some(({ kind }) => kind === 'SIGTERM')) for (const other of replicas) at.add(other);
  }

  function since({ outages }: ReplicaProcess): readonly Outage[] {
    return outages.filter(({ to_ms }) => to_ms > heardAt_ms);
  }

  return {
    heardFrom: (replica, opened_ms) => {
      at = new Set([replica]);
      heardAt_ms = opened_ms;
    },
    asked: (replica) => {
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
