import { formatList, formatNumber } from '../../shared/i18n/format.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { permissionsIn, readPermissions } from '../../shared/permissions.ts';
import { colourText } from '../role-chip.tsx';
import type { AuditChange, Names } from './entry.ts';

/** A change in words. Without `before` the value was set, without `after` it was removed. */
export interface ChangeWords {
  readonly label: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** A change as before and after. Of permissions only those that differ are named. */
export function changeWords(change: AuditChange, names: Names): readonly ChangeWords[] {
  const { key, old_value, new_value } = change;
  if (key === '$add') return [{ label: i18n._('Roles given'), after: roleNames(new_value) }];
  if (key === '$remove') return [{ label: i18n._('Roles taken'), before: roleNames(new_value) }];
  if (key === 'id' || (key === 'type' && typeof (new_value ?? old_value) !== 'number')) return [];
  if (key in PERMISSION_LABELS) return permissionWords(change);
  const words = (value: unknown) => valueWords(key, value, names);
  return [{ label: labelOf(key), before: words(old_value), after: words(new_value) }];
}

const PERMISSION_LABELS: Readonly<Record<string, () => string>> = {
  permissions: () => i18n._('Permissions'),
  allow: () => i18n._('Allowed'),
  deny: () => i18n._('Denied'),
};

function permissionWords({ key, old_value, new_value }: AuditChange): ChangeWords[] {
  const [before, after] = [old_value, new_value].map((value) => readPermissions(String(value ?? '0')) ?? 0n);
  const label = PERMISSION_LABELS[key]?.() ?? key;
  const removed = describe((before ?? 0n) & ~(after ?? 0n));
  const added = describe((after ?? 0n) & ~(before ?? 0n));
  if (removed === undefined && added === undefined) return [];
  return [{ label, before: removed, after: added }];
}

function describe(mask: bigint): string | undefined {
  const held = permissionsIn(mask).map(({ description }) => description);
  return held.length === 0 ? undefined : formatList(held);
}

function roleNames(value: unknown): string {
  const roles = Array.isArray(value) ? (value as readonly { readonly name: string }[]) : [];
  return formatList(roles.map(({ name }) => name));
}

function labelOf(key: string): string {
  return LABELS[key]?.() ?? key;
}

const LABELS: Readonly<Record<string, () => string>> = {
  name: () => i18n._('Name'),
  icon_hash: () => i18n._('Icon'),
  avatar_hash: () => i18n._('Picture'),
  owner_id: () => i18n._('Owner'),
  type: () => i18n._('Kind'),
  topic: () => i18n._('Topic'),
  position: () => i18n._('Position'),
  parent_id: () => i18n._('Category'),
  channel_id: () => i18n._('Channel'),
  rate_limit_per_user: () => i18n._('Slow mode'),
  nick: () => i18n._('Nickname'),
  color: () => i18n._('Colour'),
  hoist: () => i18n._('Shown separately'),
  mentionable: () => i18n._('Can be mentioned'),
  code: () => i18n._('Code'),
  max_uses: () => i18n._('Uses'),
  max_age: () => i18n._('Valid for'),
  permission_overwrites: () => i18n._('Permissions'),
};

function valueWords(key: string, value: unknown, names: Names): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  switch (key) {
    case 'icon_hash':
    case 'avatar_hash':
      return i18n._('a picture');
    case 'owner_id':
      return names.users.get(String(value)) ?? i18n._('a member');
    case 'parent_id':
    case 'channel_id':
      return names.channels.get(String(value)) ?? i18n._('a channel that you do not see');
    case 'rate_limit_per_user':
      return duration(Number(value), i18n._('off'));
    case 'max_age':
      return duration(Number(value), i18n._('without end'));
    case 'max_uses':
      return Number(value) === 0 ? i18n._('without limit') : formatNumber(Number(value));
    case 'color':
      return Number(value) === 0 ? i18n._('none') : colourText(Number(value));
    case 'type':
      return CHANNEL_KINDS[Number(value)]?.() ?? String(value);
    case 'permission_overwrites':
      return Array.isArray(value) && value.length > 0
        ? i18n._('{count, plural, one {# entry} other {# entries}}', { count: value.length })
        : undefined;
    default:
      return plainWords(value);
  }
}

const CHANNEL_KINDS: Readonly<Record<number, () => string>> = {
  0: () => i18n._('text channel'),
  2: () => i18n._('voice channel'),
  4: () => i18n._('category'),
};

function plainWords(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return value ? i18n._('yes') : i18n._('no');
  return JSON.stringify(value);
}

function duration(seconds: number, zero: string): string {
  if (seconds === 0) return zero;
  const [unit, size] = UNITS.find(([, length]) => seconds % length === 0) ?? (['second', 1] as const);
  return new Intl.NumberFormat(i18n.locale, { style: 'unit', unit, unitDisplay: 'long' }).format(
    seconds / size,
  );
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;
