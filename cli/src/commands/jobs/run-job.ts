import { ConsoleClient } from '../../console/console-client.ts';
import { CommandFailure, ExitCode } from '../../failures.ts';
import { listOf } from '../../json/members.ts';
import { factOf, printJson } from '../../output/facts.ts';
import { printable } from '../../output/printable.ts';
import { printLine, type Runtime } from '../../runtime.ts';

export interface RunJobOptions {
  readonly service: string;
  readonly name: string;
  readonly address?: string;
  readonly reason: string;
  readonly json?: boolean;
}

/** Starts a job in one process, or in every process of its service that has it. */
export async function runJob(options: RunJobOptions, runtime: Runtime): Promise<void> {
  const { service, name, reason, json } = options;
  const client = new ConsoleClient(runtime);
  const addresses = options.address === undefined ? await addressesWith(client, options) : [options.address];
  for (const address of addresses) {
    await client.change('POST', '/jobs/run', { service, address, name, reason });
    if (json) printJson({ service, address, name, started: true }, runtime);
    else printLine(runtime, printable(`${name} of ${service} at ${address} runs.`));
  }
}

async function addressesWith(client: ConsoleClient, { service, name }: RunJobOptions): Promise<string[]> {
  const processes = listOf(await client.get('/jobs'), 'processes').filter(
    (process) => factOf(process, 'service') === service,
  );
  const having = processes.filter((one) => listOf(one, 'jobs').some((job) => factOf(job, 'name') === name));
  const addresses = having.flatMap((process) => factOf(process, 'address') ?? []);
  if (addresses.length > 0) return addresses;
  const what = processes.length === 0 ? `No process of ${service} answers` : `${service} has no job ${name}`;
  throw new CommandFailure(
    ExitCode.NEGATIVE,
    printable(`${what}. "gatehouse jobs list" prints the jobs of all processes.`),
  );
}
