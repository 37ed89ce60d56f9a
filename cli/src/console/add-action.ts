import { Argument, type Command } from 'commander';
import { jsonOption } from '../options/common.ts';
import { CONSOLE_HELP, reasonOption } from '../options/console.ts';
import { snowflake } from '../options/parsers.ts';
import type { Runtime } from '../runtime.ts';

/** A command NAME ID --reason TEXT for one noun. */
export interface NounAction {
  /** Also the last part of the path. */
  readonly name: string;
  readonly description: string;
  /** Makes the message of success from the console's answer. */
  readonly done: (id: string, answer: unknown) => string;
  readonly help?: string;
}

export interface Noun {
  /** With its article: "an account". */
  readonly title: string;
  /** Of the argument: "account-id". */
  readonly argument: string;
  /** Below /api: "accounts". */
  readonly folder: string;
}

/** Adds the commands that act on things with an ID. */
export function addActions(
  parent: Command,
  noun: Noun,
  actions: readonly NounAction[],
  runtime: Runtime,
): void {
  for (const { name, description, done, help = '' } of actions)
    parent
      .command(name)
      .description(description)
      .addArgument(idArgument(noun))
      .addOption(reasonOption())
      .addOption(jsonOption('print the answer as one JSON object'))
      .addHelpText('after', `${help}${CONSOLE_HELP}`)
      .action(async (id: string, { reason, json }: { reason: string; json?: boolean }) => {
        const { act } = await import('./act.ts');
        const path = `/${noun.folder}/${id}/${name}`;
        const action = {
          method: 'POST' as const,
          path,
          body: { reason },
          done: (answer: unknown) => done(id, answer),
        };
        await act(action, json === undefined ? {} : { json }, runtime);
      });
}

export function idArgument({ argument, title }: Noun): Argument {
  return new Argument(`<${argument}>`).argParser(snowflake(title));
}
