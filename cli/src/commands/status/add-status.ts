import type { Command } from 'commander';
import { jsonOption } from '../../options/common.ts';
import { CONSOLE_HELP } from '../../options/console.ts';
import type { Runtime } from '../../runtime.ts';

export function addStatus(program: Command, runtime: Runtime): void {
  program
    .command('status')
    .description('show the processes and their versions, requests and errors, and what waits')
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', `\nExit code 1: also if a process does not answer.${CONSOLE_HELP}`)
    .action(async (options) => {
      const { status } = await import('./status.ts');
      await status(options, runtime);
    });
}
