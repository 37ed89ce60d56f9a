import { type Command, Option } from 'commander';
import { jsonOption } from '../../options/common.ts';
import { CONSOLE_HELP, reasonOption } from '../../options/console.ts';
import { oneAddress } from '../../options/parsers.ts';
import type { Runtime } from '../../runtime.ts';

export function addJobs(program: Command, runtime: Runtime): void {
  const jobs = program
    .command('jobs')
    .description('the background work of the processes: outboxes and periodic jobs');

  jobs
    .command('list')
    .description('print the jobs of all processes: what waits, and since when')
    .option('--service <service>', 'only of this service')
    .addOption(jsonOption('print JSON, one process a line'))
    .addHelpText('after', CONSOLE_HELP)
    .action(async (options) => {
      const { listJobs } = await import('./list-jobs.ts');
      await listJobs(options, runtime);
    });

  jobs
    .command('run')
    .description('run a job now instead of at its next time')
    .argument('<service>', 'the service, such as auth')
    .argument('<name>', 'the job, as "jobs list" prints it')
    .addOption(
      new Option(
        '--address <host:port>',
        'in this process (default: in every process of the service)',
      ).argParser(oneAddress),
    )
    .addOption(reasonOption())
    .addOption(jsonOption('print JSON, one process a line'))
    .addHelpText('after', CONSOLE_HELP)
    .action(async (service, name, options) => {
      const { runJob } = await import('./run-job.ts');
      await runJob({ service, name, ...options }, runtime);
    });
}
