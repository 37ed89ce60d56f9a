import type { Logger } from '@gatehouse/kit/log';
import type { Pool } from 'pg';
import type { Clients } from './clients.ts';
import type { Config } from './config.ts';
import type { ListedProcesses } from './jobs/list-jobs.ts';
import type { Processes } from './jobs/processes.ts';
import type { OverviewParts } from './overview/overview.ts';
import type { Encryption } from './sign-in/encryption.ts';
import type { WrongSignIns } from './sign-in/wrong-sign-ins.ts';

/** The dependencies of the RPCs and of the HTTP routes, made by `start`. */
export interface Deps {
  readonly config: Config;
  readonly db: Pool;
  readonly log: Logger;
  /** The other services. */
  readonly clients: Clients;
  /** Their processes, with the jobs of each. */
  readonly jobs: Processes;
  readonly listJobs: () => Promise<ListedProcesses>;
  readonly overview: OverviewParts;
  /** The URL at which operators find the console, without a trailing slash. */
  readonly url: () => string;
  readonly encryption: Encryption;
  readonly wrong_sign_ins: WrongSignIns;
}
