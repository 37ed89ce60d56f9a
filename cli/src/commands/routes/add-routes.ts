import type { Command } from 'commander';
import { jsonOption } from '../../options/common.ts';
import type { Runtime } from '../../runtime.ts';

export function addRoutes(program: Command, runtime: Runtime): void {
  program
    .command('routes')
    .description("print the edge's route table")
    .addOption(jsonOption('print one JSON array'))
    .addHelpText('after', COLUMNS_HELP)
    .action(async (options) => {
      const { printRoutes } = await import('./print-routes.ts');
      printRoutes(options, runtime);
    });
}

const COLUMNS_HELP = `
Columns: verb; path below /api/v1; the RPC that answers; who may call, and the scope that an access token needs; the
buckets of the route, each with its limit, window and key, and buckets added by members of the body ("+ member";
"+ new member": if the value differs from that of the account); whether the request counts against the global
bucket; body and its limit; status of success.`;
