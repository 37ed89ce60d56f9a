import { i18n } from '../shared/i18n/i18n.ts';
import { ADMINISTRATOR, permissionsIn, readPermissions } from '../shared/permissions.ts';

const NAMED = 3;

/** Permissions in words: the most powerful ones, and the others on demand. */
export function PermissionWords({ permissions }: { permissions: string }) {
  const mask = readPermissions(permissions) ?? 0n;
  const isAdministrator = (mask & ADMINISTRATOR) !== 0n;
  const held = permissionsIn(isAdministrator ? ADMINISTRATOR : mask).map(({ description }) => description);
  if (held.length === 0) return <span class="quiet">{i18n._('No permissions')}</span>;
  const first = held.slice(0, NAMED).join(' · ');
  if (held.length <= NAMED) return <span class="quiet">{first}</span>;
  const count = held.length - NAMED;
  return (
    <details class="quiet">
      <summary>
        {first} · {i18n._('{count, plural, one {# more} other {# more}}', { count })}
      </summary>
      <ul class="plain-list">
        {held.slice(NAMED).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  );
}
