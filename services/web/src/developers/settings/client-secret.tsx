import type { Application } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { ShownOnce } from '../shown-once.tsx';
import type { TabProps } from '../tab-props.ts';

export function ClientSecret({ application: { id, public: isPublic }, onChange }: TabProps) {
  const [secret, setSecret] = useState<string>();
  const path = `/oauth2/applications/${id}`;
  /** Only this view keeps the secret of the answer. */
  const show = ({ client_secret, ...application }: Application) => {
    setSecret(client_secret ?? undefined);
    onChange(application);
  };
  const reset = async () => show(await call<Application>('POST', `${path}/client-secret/reset`));
  const change = async (body: object) => show(await call<Application>('PATCH', path, body));
  return (
    <section class="card" aria-labelledby="client-secret">
      <h2 id="client-secret">Client secret</h2>
      {isPublic ? (
        <p>
          Your application is a public client: it has no secret. Each sign-in needs PKCE with the method S256.
        </p>
      ) : (
        <p>Your application proves itself with it when it exchanges codes and refresh tokens.</p>
      )}
      {secret && <ShownOnce label="New client secret" text={secret} />}
      {isPublic ? (
        <ConfirmButton label="Make a client secret" confirm="Make it" act={() => change({ public: false })}>
          <p>The application needs the secret from then on. Codes and tokens stay valid.</p>
        </ConfirmButton>
      ) : (
        <>
          <ConfirmButton label="Reset the client secret" confirm="Reset it" act={reset}>
            <p>
              The secret that your application uses now stops working at once: it can sign nobody in and
              refresh no tokens until it has the new one. Access tokens stay valid.
            </p>
            <p class="hint">It can be reset 10 times in an hour.</p>
          </ConfirmButton>
          <ConfirmButton
            label="Make it a public client"
            confirm="Delete the secret"
            act={() => change({ public: true })}
          >
            <p>
              The secret is deleted, and refresh tokens work without it. Each sign-in then needs PKCE with the
              method S256. Do this only for a page or an app that cannot keep a secret.
            </p>
          </ConfirmButton>
        </>
      )}
    </section>
  );
}
