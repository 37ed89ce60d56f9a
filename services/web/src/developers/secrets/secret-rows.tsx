import type { ClientSecret } from '@gatehouse/proto/oauth2';
import { useEffect, useRef } from 'preact/hooks';
import { Ago } from '../../shared/ago.tsx';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { ConfirmButton } from '../confirm-button.tsx';

/** A row for each client secret. One of two can be deleted. */
export function SecretRows(props: {
  secrets: readonly ClientSecret[];
  remove: (id: string) => Promise<unknown>;
}) {
  const { secrets, remove } = props;
  const list = useRef<HTMLUListElement>(null);
  const shown = useRef(secrets.length);
  useEffect(() => {
    // The button that had the focus is gone.
    if (secrets.length < shown.current) list.current?.focus();
    shown.current = secrets.length;
  }, [secrets.length]);
  return (
    <ul ref={list} class="rows" aria-label={i18n._('Client secrets')} tabIndex={-1}>
      {secrets.map((secret) => (
        <li key={secret.id}>
          <span>
            <code>{ending(secret)}</code>{' '}
            <span class="quiet">
              <Times secret={secret} />
            </span>
          </span>
          {secrets.length > 1 && (
            <ConfirmButton
              label={i18n._('Delete {secret}', { secret: ending(secret) })}
              confirm={i18n._('Delete it')}
              act={() => remove(secret.id)}
            >
              <p>
                {i18n._(
                  'Whatever still uses this secret can sign nobody in and refresh no tokens from then on.',
                )}
              </p>
              {secret.last_used_at && (
                <p>
                  <Trans id="It was used {used}." values={{ used: <Ago time={secret.last_used_at} /> }} />
                </p>
              )}
            </ConfirmButton>
          )}
        </li>
      ))}
    </ul>
  );
}

/** When a secret was made and last used. */
function Times({ secret: { created_at, last_used_at } }: { secret: ClientSecret }) {
  const created = created_at ? <Ago time={created_at} /> : undefined;
  const used = last_used_at ? <Ago time={last_used_at} /> : undefined;
  if (created && used) return <Trans id="made {created}, used {used}" values={{ created, used }} />;
  if (created) return <Trans id="made {created}, not used yet" values={{ created }} />;
  if (used) return <Trans id="made before its time was recorded, used {used}" values={{ used }} />;
  return <>{i18n._('made before its time was recorded, not used yet')}</>;
}

function ending({ hint }: ClientSecret): string {
  return hint === null || hint === undefined ? i18n._('the older secret') : `…${hint}`;
}
