import { printShown, type Shown } from '../../console/show-command.ts';
import { listOf, memberOf } from '../../json/members.ts';
import { type Column, cellOf, factOf, stoppedText, timeOf } from '../../output/facts.ts';
import type { Runtime } from '../../runtime.ts';

/** Prints an account. */
export function showAccount(
  id: string,
  options: { readonly json?: boolean },
  runtime: Runtime,
): Promise<void> {
  return printShown({ path: `/accounts/${id}`, shown }, options, runtime);
}

function shown(answer: unknown): Shown {
  const part = (title: string, member: string, columns: readonly Column[]) => ({
    title,
    items: listOf(answer, member),
    columns,
  });
  return {
    facts: factsOf(answer),
    parts: [
      part('Sessions', 'sessions', SESSION),
      part('Applications with access', 'grants', GRANT),
      part('Its applications', 'applications', NAMED),
      part('Its bots', 'bots', BOT),
      part('Its webhooks', 'webhooks', NAMED),
      part('Guilds', 'guilds', NAMED),
      part('Latest security events', 'security_events', EVENT),
    ],
  };
}

function factsOf(answer: unknown): [string, string | undefined][] {
  const at = (...path: string[]) => factOf(answer, 'account', ...path);
  const passkeys = listOf(answer, 'factors', 'passkeys').map(String).join(', ');
  return [
    ['ID', at('id')],
    ['user name', at('username')],
    ['display name', at('global_name')],
    ['e-mail', at('email') && `${at('email')}${at('verified') === 'yes' ? '' : ' (not verified)'}`],
    [
      'bot',
      at('bot') === 'yes' ? `of ${at('owner_username') ?? 'account'} (${at('owner_id') ?? '-'})` : undefined,
    ],
    ['created', timeOf(answer, 'account', 'created_at_ms')],
    ['suspended', stoppedText(memberOf(answer, 'account'), 'suspension')],
    ['owner suspended', stoppedText(memberOf(answer, 'account'), 'owner_suspension')],
    ['password', factOf(answer, 'has_password')],
    ['TOTP', factOf(answer, 'factors', 'totp')],
    ['backup codes', factOf(answer, 'factors', 'backup_codes')],
    ['passkeys', passkeys === '' ? undefined : passkeys],
  ];
}

const SESSION: readonly Column[] = [
  ['FINGERPRINT', (session) => cellOf(session, 'fingerprint')],
  ['ADDRESS', (session) => cellOf(session, 'ip')],
  ['LAST USED', (session) => timeOf(session, 'last_used_at_ms') ?? '-'],
  ['AGENT', (session) => cellOf(session, 'user_agent')],
];
const GRANT: readonly Column[] = [
  ['APPLICATION', (grant) => cellOf(grant, 'application_id')],
  ['NAME', (grant) => cellOf(grant, 'name')],
  ['SCOPES', (grant) => listOf(grant, 'scopes').map(String).join(' ')],
  ['SINCE', (grant) => timeOf(grant, 'authorized_at_ms') ?? '-'],
];
const NAMED: readonly Column[] = [
  ['ID', (one) => cellOf(one, 'id')],
  ['NAME', (one) => cellOf(one, 'name')],
  ['DISABLED', (one) => stoppedText(one, 'disablement') ?? ''],
];
const BOT: readonly Column[] = [
  ['ID', (bot) => cellOf(bot, 'id')],
  ['NAME', (bot) => cellOf(bot, 'username')],
];
const EVENT: readonly Column[] = [
  ['TIME', (event) => timeOf(event, 'at_ms') ?? '-'],
  ['KIND', (event) => cellOf(event, 'kind')],
  ['ADDRESS', (event) => cellOf(event, 'ip')],
];
