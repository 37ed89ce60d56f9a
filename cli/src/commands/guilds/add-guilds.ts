import type { Command } from 'commander';
import { addActions, idArgument, type NounAction } from '../../console/add-action.ts';
import { jsonOption } from '../../options/common.ts';
import { CONSOLE_HELP, itemsOption } from '../../options/console.ts';
import type { Runtime } from '../../runtime.ts';

const GUILD = { title: 'a guild', argument: 'guild-id', folder: 'guilds' };

export function addGuilds(program: Command, runtime: Runtime): void {
  const guilds = program.command('guilds').description('find guilds, look at one, disable and enable it');

  guilds
    .command('find')
    .description('find guilds, the newest first')
    .argument('[query]', "an ID, the owner's ID, or the start of the name; none: all", '')
    .addOption(itemsOption())
    .addOption(jsonOption())
    .addHelpText('after', CONSOLE_HELP)
    .action(async (query, options) => {
      const { findGuilds } = await import('./find-guilds.ts');
      await findGuilds(query, options, runtime);
    });

  guilds
    .command('show')
    .description('show a guild and its size')
    .addArgument(idArgument(GUILD))
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', CONSOLE_HELP)
    .action(async (id, options) => {
      const { showGuild } = await import('./show-guild.ts');
      await showGuild(id, options, runtime);
    });

  addActions(guilds, GUILD, ACTIONS, runtime);
}

const ACTIONS: readonly NounAction[] = [
  {
    name: 'disable',
    description: 'refuse every change in a guild until it is enabled; its members can still read',
    done: (id) => `Guild ${id} is disabled.`,
  },
  {
    name: 'enable',
    description: 'end a disablement',
    done: (id) => `Guild ${id} is enabled.`,
  },
];
