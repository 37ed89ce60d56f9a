import { PROCESS_SETTINGS } from '@gatehouse/dev-env/processes/process-settings';
import { silentLogger } from '@gatehouse/kit/log';
import { type PeriodicJob, periodicJob } from '@gatehouse/kit/periodic-job';
import { startProcess } from '@gatehouse/kit/process/start-process';
import type { PeerRules } from '@gatehouse/proto/kit/peer-rules';

const NEVER_MS = 2 ** 31 - 1;
const ALL: PeerRules = { allows: () => true, mayActForCallers: () => false };

/** A process of a service with the job `sweep`, which runs on demand only. */
export interface JobsProcess {
  /** host:port of its gRPC. */
  readonly address: string;
  /** How often the job ran. */
  runs(): number;
  close(): Promise<void>;
}

export async function startWithJob(name: string): Promise<JobsProcess> {
  let runs = 0;
  const sweep: PeriodicJob = periodicJob(NEVER_MS, async () => {
    runs++;
  });
  const running = await startProcess(
    { name, config: PROCESS_SETTINGS, log: silentLogger },
    async (runtime) => {
      runtime.addJob('sweep', sweep);
      return runtime.serve('127.0.0.1:0', [], ALL);
    },
  );
  return { address: running.address, runs: () => runs, close: () => running.close() };
}
