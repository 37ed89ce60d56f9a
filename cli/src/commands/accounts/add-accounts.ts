import type { Command } from 'commander';
import { addActions, idArgument, type NounAction } from '../../console/add-action.ts';
import { listOf } from '../../json/members.ts';
import { jsonOption } from '../../options/common.ts';
import { CONSOLE_HELP, itemsOption } from '../../options/console.ts';
import { numberOf } from '../../output/facts.ts';
import type { Runtime } from '../../runtime.ts';

const ACCOUNT = { title: 'an account', argument: 'account-id', folder: 'accounts' };

export function addAccounts(program: Command, runtime: Runtime): void {
  const accounts = program.command('accounts').description('find accounts, look at one, and act on it');

  accounts
    .command('find')
    .description('find accounts, the newest first')
    .argument('<query>', "an ID, an e-mail address, the start of a user name, or a session's IP address")
    .addOption(itemsOption())
    .addOption(jsonOption())
    .addHelpText('after', CONSOLE_HELP)
    .action(async (query, options) => {
      const { findAccounts } = await import('./find-accounts.ts');
      await findAccounts(query, options, runtime);
    });

  accounts
    .command('show')
    .description(
      'show an account: sessions, second factors, applications with access, guilds, security events',
    )
    .addArgument(idArgument(ACCOUNT))
    .addOption(jsonOption('print one JSON object'))
    .addHelpText('after', CONSOLE_HELP)
    .action(async (id, options) => {
      const { showAccount } = await import('./show-account.ts');
      await showAccount(id, options, runtime);
    });

  addActions(accounts, ACCOUNT, ACTIONS, runtime);
}

const ACTIONS: readonly NounAction[] = [
  {
    name: 'suspend',
    description:
      'refuse all credentials of an account, and the executions of its webhooks, until it is restored',
    done: (id, answer) => `Account ${id} is suspended; ${sessions(answer)}.`,
  },
  {
    name: 'restore',
    description: 'end a suspension; sessions that it ended stay ended',
    done: (id) => `Account ${id} is restored.`,
  },
  {
    name: 'end-sessions',
    description: 'end all sessions of an account',
    done: (id, answer) => `Account ${id}: ${sessions(answer)}.`,
  },
  {
    name: 'reset-factors',
    description: 'remove TOTP, backup codes and passkeys of an account, and mail its owner',
    done: (id) => `Account ${id} has no second factor now.`,
  },
  {
    name: 'revoke-grants',
    description: 'revoke the access of all applications to an account',
    done: (id, answer) =>
      `Account ${id}: ${counted(listOf(answer, 'revoked').length, 'application')} lost access.`,
  },
];

function sessions(answer: unknown): string {
  return `${counted(numberOf(answer, 'ended_sessions') ?? 0, 'session')} ended`;
}

function counted(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
}
