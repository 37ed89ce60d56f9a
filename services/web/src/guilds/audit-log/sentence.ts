import { i18n } from '../../shared/i18n/i18n.ts';
import { isolated } from '../../shared/i18n/isolated.ts';
import type { AuditEntry, Names } from './entry.ts';

/** An entry as a sentence. Its names are isolated. */
export function sentenceOf(entry: AuditEntry, names: Names): string {
  const user = isolated(names.users.get(entry.user_id) ?? i18n._('Somebody'));
  const target = isolated(targetOf(entry, names));
  const holder = isolated(holderOf(entry, names));
  const sentence = SENTENCES[entry.action_type];
  if (sentence) return sentence({ user, target, holder });
  return i18n._('{user} made a change of the kind {kind}', { user, kind: String(entry.action_type) });
}

type Values = Readonly<Record<'user' | 'target' | 'holder', string>>;

const SENTENCES: Readonly<Record<number, (values: Values) => string>> = {
  1: (values) => i18n._('{user} changed the guild', values),
  10: (values) => i18n._('{user} created the channel {target}', values),
  11: (values) => i18n._('{user} changed the channel {target}', values),
  12: (values) => i18n._('{user} deleted the channel {target}', values),
  13: (values) => i18n._('{user} added permissions of {holder} in the channel {target}', values),
  14: (values) => i18n._('{user} changed the permissions of {holder} in the channel {target}', values),
  15: (values) => i18n._('{user} removed the permissions of {holder} in the channel {target}', values),
  20: (values) => i18n._('{user} removed {target} from the guild', values),
  24: (values) => i18n._('{user} changed the nickname of {target}', values),
  25: (values) => i18n._('{user} changed the roles of {target}', values),
  28: (values) => i18n._('{user} added the bot {target}', values),
  30: (values) => i18n._('{user} created the role {target}', values),
  31: (values) => i18n._('{user} changed the role {target}', values),
  32: (values) => i18n._('{user} deleted the role {target}', values),
  40: (values) => i18n._('{user} created an invite', values),
  41: (values) => i18n._('{user} changed an invite', values),
  42: (values) => i18n._('{user} deleted an invite', values),
  50: (values) => i18n._('{user} created the webhook {target}', values),
  51: (values) => i18n._('{user} changed the webhook {target}', values),
  52: (values) => i18n._('{user} deleted the webhook {target}', values),
};

/** The name at the time of the entry, else the present one, else what it was. */
function targetOf({ action_type, target_id, changes }: AuditEntry, names: Names): string {
  const id = target_id ?? '';
  const change = changes?.find(({ key }) => key === 'name');
  const then = change?.new_value ?? change?.old_value;
  if (typeof then === 'string' && action_type >= 10) return then;
  switch (Math.floor(action_type / 10)) {
    case 1:
      return names.channels.get(id) ?? i18n._('a channel that you do not see');
    case 2:
      return names.users.get(id) ?? i18n._('a member');
    case 3:
      return names.roles.get(id) ?? i18n._('a deleted role');
    case 5:
      return names.webhooks.get(id) ?? i18n._('a deleted webhook');
    default:
      return '';
  }
}

/** The role or the member of an overwrite. */
function holderOf({ options }: AuditEntry, names: Names): string {
  if (!options) return '';
  if (options.type === 0) return names.roles.get(options.id) ?? i18n._('a deleted role');
  return names.users.get(options.id) ?? i18n._('a member');
}

/** The kinds of entries, for the filter. */
export function actionLabels(): readonly { readonly value: string; readonly text: string }[] {
  return [
    { value: '1', text: i18n._('Guild changed') },
    { value: '10', text: i18n._('Channel created') },
    { value: '11', text: i18n._('Channel changed') },
    { value: '12', text: i18n._('Channel deleted') },
    { value: '13', text: i18n._('Channel permissions added') },
    { value: '14', text: i18n._('Channel permissions changed') },
    { value: '15', text: i18n._('Channel permissions removed') },
    { value: '20', text: i18n._('Member removed') },
    { value: '24', text: i18n._('Nickname changed') },
    { value: '25', text: i18n._('Roles of a member changed') },
    { value: '28', text: i18n._('Bot added') },
    { value: '30', text: i18n._('Role created') },
    { value: '31', text: i18n._('Role changed') },
    { value: '32', text: i18n._('Role deleted') },
    { value: '40', text: i18n._('Invite created') },
    { value: '42', text: i18n._('Invite deleted') },
    { value: '50', text: i18n._('Webhook created') },
    { value: '51', text: i18n._('Webhook changed') },
    { value: '52', text: i18n._('Webhook deleted') },
  ];
}
