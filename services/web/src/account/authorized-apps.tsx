import type { Authorization } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { Confirm } from '../shared/confirm.tsx';
import { plainName } from '../shared/plain-name.ts';
import { Checkbox } from '../shared/ui.tsx';
import { describeScopes } from './describe-scopes.ts';

interface AuthorizedAppsProps {
  readonly authorizations: readonly Authorization[];
  readonly onRemoved: (text: string) => Promise<void>;
  /** Called when an authorization no longer exists. */
  readonly onStale: () => Promise<void>;
}

/** The list of authorized applications, with a checkbox to select those to remove. */
export function AuthorizedApps({ authorizations, onRemoved, onStale }: AuthorizedAppsProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const applications = authorizations.map(({ application, scopes }) => ({
    id: application?.id ?? '',
    name: plainName(application?.name ?? ''),
    scopes,
  }));
  const chosen = applications.filter(({ id }) => selected.has(id));
  const names = new Intl.ListFormat('en').format(chosen.map(({ name }) => name));
  const toggle = (id: string, on: boolean) => {
    const next = new Set(selected);
    if (on) next.add(id);
    else next.delete(id);
    setSelected(next);
  };
  // Revoking is all or nothing. The reloaded list no longer has deleted applications, so the user can try again.
  const refused = async (error: unknown) => {
    await onStale();
    throw error;
  };
  return (
    <>
      <p>You allowed these to use your account. Select those that you want to remove.</p>
      <ul class="rows">
        {applications.map(({ id, name, scopes }) => (
          <li key={id}>
            <div>
              <Checkbox
                label={<strong>{name}</strong>}
                checked={selected.has(id)}
                onChecked={(on) => toggle(id, on)}
              />
              <ul class="quiet granted">
                {describeScopes(scopes).map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </div>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="danger"
        aria-disabled={chosen.length === 0}
        onClick={() => setAsking(chosen.length > 0)}
      >
        Remove access
      </button>
      {isAsking && (
        <Confirm
          title="Remove access?"
          submit="Remove access"
          onClose={() => setAsking(false)}
          act={async () => {
            const application_ids = chosen.map(({ id }) => id);
            await call('POST', '/oauth2/@me/authorizations/revoke', { application_ids }).catch(refused);
            setAsking(false);
            setSelected(new Set());
            await onRemoved(`${names} can no longer use your account.`);
          }}
        >
          <p>
            {names} can no longer see anything of your account. A bot that was installed stays in its guilds
            until it is removed there.
          </p>
        </Confirm>
      )}
    </>
  );
}
