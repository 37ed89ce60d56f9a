import type { Application } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { ShownOnce } from '../shown-once.tsx';

export function ClientSecret({ application: { id } }: { application: Application }) {
  const [secret, setSecret] = useState<string>();
  const reset = async () => {
    const path = `/oauth2/applications/${id}/client-secret/reset`;
    const { client_secret } = await call<Application>('POST', path);
    setSecret(client_secret ?? undefined);
  };
  return (
    <section class="card" aria-labelledby="client-secret">
      <h2 id="client-secret">Client secret</h2>
      <p>Your application proves itself with it when it exchanges codes and refresh tokens.</p>
      {secret && <ShownOnce label="New client secret" text={secret} />}
      <ConfirmButton label="Reset the client secret" confirm="Reset it" act={reset}>
        <p>
          The secret that your application uses now stops working at once: it can sign nobody in and refresh
          no tokens until it has the new one. Access tokens stay valid.
        </p>
        <p class="hint">It can be reset 10 times in an hour.</p>
      </ConfirmButton>
    </section>
  );
}
