import fc from 'fast-check';
import * as account from './account-commands.ts';
import * as token from './token-commands.ts';

/** The length of the longest sequence. The average is half of it. */
const LENGTH = 60;

/** The frequency of each command. */
const COMMANDS = [
  [8, token.consent],
  [2, token.silentConsent],
  [8, token.exchangeCode],
  [5, token.refresh],
  [2, token.revoke],
  [3, token.introspect],
  [2, token.userInfo],
  [2, token.current],
  [2, account.listAuthorizations],
  [2, account.deleteAuthorization],
  [1, account.revokeMany],
  [1, account.createApplication],
  [1, account.resetSecret],
  [2, account.changeKind],
  [1, account.deleteApplication],
  [2, account.stepClock],
] as const;

export const sequences = fc.commands(
  COMMANDS.flatMap(([times, command]) => Array(times).fill(command)),
  { maxCommands: LENGTH, size: 'max' },
);
