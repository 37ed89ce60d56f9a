import type { Role } from '@gatehouse/proto/chat';
import { i18n } from '../shared/i18n/i18n.ts';
import { Name } from '../shared/ui/name.tsx';

const SHOWN = 6;

/** The first of some roles. */
export function RoleChips({ roles, label }: { roles: readonly Role[]; label: string }) {
  if (roles.length === 0) return null;
  const count = roles.length - SHOWN;
  return (
    <ul class="chips" aria-label={label}>
      {roles.slice(0, SHOWN).map((role) => (
        <li key={role.id}>
          <RoleChip role={role} />
        </li>
      ))}
      {count > 0 && (
        <li class="quiet">{i18n._('{count, plural, one {# more} other {# more}}', { count })}</li>
      )}
    </ul>
  );
}

/** The name of a role beside its colour. */
export function RoleChip({ role }: { role: Pick<Role, 'name' | 'color'> }) {
  return (
    <span class="role-chip">
      <RoleColour color={role.color} />
      <Name text={role.name} isOneLine />
    </span>
  );
}

/** A dot in the colour of a role; 0 is none. An SVG attribute, because the page's policy forbids inline styles. */
export function RoleColour({ color }: { color: number }) {
  return (
    <svg class="role-colour" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
      <circle cx="5" cy="5" r="4.5" fill={color === 0 ? 'currentColor' : colourText(color)} />
    </svg>
  );
}

/** A colour of the API: `#99aab5`. */
export function colourText(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}
