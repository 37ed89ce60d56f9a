import type { Command } from 'commander';
import { addActions, idArgument, type NounAction } from '../../console/add-action.ts';
import { jsonOption } from '../../options/common.ts';
import { CONSOLE_HELP, itemsOption } from '../../options/console.ts';
import type { Runtime } from '../../runtime.ts';

const APPLICATION = { title: 'an application', argument: 'application-id', folder: 'applications' };

export function addApps(program: Command, runtime: Runtime): void {
  const apps = program.command('apps').description('find applications, look at one, disable and enable it');

  apps
    .command('find')
    .description('find applications, the newest first')
    .argument('[query]', "an ID, the owner's ID, or the start of the name; none: all", '')
    .addOption(itemsOption())
    .addOption(jsonOption())
    .addHelpText('after', CONSOLE_HELP)
    .action(async (query, options) => {
      const { findApps } = await import('./find-apps.ts');
      await findApps(query, options, runtime);
    });

  apps
    .command('show')
    .description('show an application and how it uses the API')
    .addArgument(idArgument(APPLICATION))
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', CONSOLE_HELP)
    .action(async (id, options) => {
      const { showApp } = await import('./show-app.ts');
      await showApp(id, options, runtime);
    });

  addActions(apps, APPLICATION, ACTIONS, runtime);
}

const ACTIONS: readonly NounAction[] = [
  {
    name: 'disable',
    description:
      "refuse an application's client credentials, bot token and all its tokens until it is enabled",
    done: (id) => `Application ${id} is disabled.`,
  },
  {
    name: 'enable',
    description: 'end a disablement; tokens that are not expired work again',
    done: (id) => `Application ${id} is enabled.`,
  },
];
