import type { Authorization } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { Confirm } from '../shared/confirm.tsx';
import { plainName } from '../shared/plain-name.ts';
import { Tick } from '../shared/ui.tsx';
import { grantedInWords } from './granted-words.ts';

interface AuthorizedAppsProps {
  readonly authorizations: readonly Authorization[];
  readonly onRemoved: (words: string) => Promise<void>;
  /** Called when an authorization no longer exists. */
  readonly onStale: () => Promise<void>;
}

/** The list of authorized applications. The user ticks those to remove. */
export function AuthorizedApps({ authorizations, onRemoved, onStale }: AuthorizedAppsProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const applications = authorizations.map(({ application, scopes }) => ({
    id: application?.id ?? '',
    name: plainName(application?.name ?? ''),
    scopes,
  }));
  const chosen = applications.filter(({ id }) => ticked.has(id));
  const names = new Intl.ListFormat('en').format(chosen.map(({ name }) => name));
  const toggle = (id: string, on: boolean) => {
    const next = new Set(ticked);
    if (on) next.add(id);
    else next.delete(id);
    setTicked(next);
  };
  // All or nothing: once the list is reloaded without a deleted one, the user can try again.
  const refused = async (error: unknown) => {
    await onStale();
    throw error;
  };
  return (
    <>
      <p>You allowed these to use your account. Tick those that should no longer.</p>
      <ul class="rows">
        {applications.map(({ id, name, scopes }) => (
          <li key={id}>
            <div>
              <Tick
                label={<strong>{name}</strong>}
                checked={ticked.has(id)}
                onChecked={(on) => toggle(id, on)}
              />
              <ul class="quiet granted">
                {grantedInWords(scopes).map((words) => (
                  <li key={words}>{words}</li>
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
            setTicked(new Set());
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
