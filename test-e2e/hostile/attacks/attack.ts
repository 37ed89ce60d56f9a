/** The edge's address. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Options common to all attacks. */
export interface AttackOptions {
  /** The attack ends by itself after this time. */
  readonly seconds: number;
}

/** Result of an attack from the attacker's side. */
export interface Report {
  /** Counts by name: requests, connections, bytes. */
  readonly counts: Readonly<Record<string, number>>;
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Descriptions of responses that not even an attacker should get. */
  readonly problems: readonly string[];
  /** The longest wait for a response, if the attack measures it. */
  readonly slowest_ms?: number;
}

/** Runs until its time is up, then closes its connections. */
export type Attack<Options extends AttackOptions> = (target: Target, options: Options) => Promise<Report>;
