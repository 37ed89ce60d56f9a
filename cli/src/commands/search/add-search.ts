import type { Command } from 'commander';
import { jsonOption } from '../../options/common.ts';
import { CONSOLE_HELP } from '../../options/console.ts';
import type { Runtime } from '../../runtime.ts';

export function addSearch(program: Command, runtime: Runtime): void {
  program
    .command('search')
    .description('find anything by an ID, an address, a name, a request ID or the fingerprint of a token')
    .argument('<query>', 'what you have')
    .addOption(jsonOption())
    .addHelpText('after', `\nNothing found is exit code 1.${CONSOLE_HELP}`)
    .action(async (query, options) => {
      const { search } = await import('./search.ts');
      await search(query, options, runtime);
    });
}
