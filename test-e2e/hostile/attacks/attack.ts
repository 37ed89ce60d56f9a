/** Where the edge listens. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** What every attack is told. */
export interface Timed {
  /** It ends by itself after so long. */
  readonly seconds: number;
}

/** What came of an attack, as the attacker saw it. */
export interface Report {
  /** What it did, by name: requests, connections, bytes. */
  readonly counts: Readonly<Record<string, number>>;
  /** How often each status came. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers that not even an attacker should get, in words. */
  readonly problems: readonly string[];
  /** The longest wait for an answer, where the attack measures it. */
  readonly slowest_ms?: number;
}

/** Runs until its time is up and then closes its connections. */
export type Attack<Options extends Timed> = (target: Target, options: Options) => Promise<Report>;
