import type { Application, ClientSecret } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { WhenLoaded } from '../../shared/when-loaded.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { ShownOnce } from '../shown-once.tsx';
import type { TabProps } from '../tab-props.ts';
import { EnvDownload, EnvHint } from './env-download.tsx';
import { ExchangeSteps } from './exchange-steps.tsx';
import { SecretRows } from './secret-rows.tsx';

/** The client secrets, or that a public client has none. Only this view keeps the value of a new one. */
export function SecretsSection({ application, onChange }: TabProps) {
  const { id, public: isPublic, redirect_uris } = application;
  const [shown, setShown] = useState<string>();
  /** How often all secrets were replaced here; the list is loaded anew each time. */
  const [replacements, setReplacements] = useState(0);
  const path = `/oauth2/applications/${id}`;
  const change = async (method: 'POST' | 'PATCH', to: string, body?: object) => {
    const { client_secret, ...changed } = await call<Application>(method, to, body);
    setShown(client_secret ?? undefined);
    setReplacements((count) => count + 1);
    onChange(changed);
  };
  return (
    <section class="card" aria-labelledby="client-secrets">
      <h2 id="client-secrets">{i18n._('Client secrets')}</h2>
      {isPublic ? (
        <p>
          {i18n._(
            'Your application is a public client: it has no secret. Each sign-in needs PKCE with the method S256.',
          )}
        </p>
      ) : (
        <p>{i18n._('Your application proves itself with one when it exchanges codes and refresh tokens.')}</p>
      )}
      {shown && <ShownOnce label={i18n._('New client secret')} text={shown} />}
      {!isPublic && <Secrets key={replacements} application_id={id} onShow={setShown} />}
      <div class="actions">
        <EnvDownload
          environment={{
            client_id: id,
            client_secret: isPublic ? null : shown,
            redirect_uri: redirect_uris[0],
          }}
        />
        {isPublic ? (
          <MakeSecret act={() => change('PATCH', path, { public: false })} />
        ) : (
          <>
            <ResetSecret reset={() => change('POST', `${path}/client-secret/reset`)} />
            <MakePublic act={() => change('PATCH', path, { public: true })} />
          </>
        )}
      </div>
      <EnvHint />
    </section>
  );
}

function Secrets(props: { application_id: string; onShow: (client_secret: string | undefined) => void }) {
  const { application_id, onShow } = props;
  const path = `/oauth2/applications/${application_id}/secrets`;
  const loaded = useLoaded(() => call<ClientSecret[]>('GET', path), [path]);
  const add = async () => {
    const { client_secret } = await call<ClientSecret>('POST', path);
    onShow(client_secret ?? undefined);
    await loaded.reload();
  };
  const remove = async (id: string) => {
    await call('DELETE', `${path}/${id}`);
    onShow(undefined);
    await loaded.reload();
  };
  return (
    <WhenLoaded loaded={loaded}>
      {(secrets) => (
        <>
          <SecretRows secrets={secrets} remove={remove} />
          <ExchangeSteps secrets={secrets} add={add} reload={loaded.reload} />
        </>
      )}
    </WhenLoaded>
  );
}

function MakeSecret({ act }: { act: () => Promise<unknown> }) {
  return (
    <ConfirmButton label={i18n._('Make a client secret')} confirm={i18n._('Make it')} act={act}>
      <p>{i18n._('The application needs the secret from then on. Codes and tokens stay valid.')}</p>
    </ConfirmButton>
  );
}

function ResetSecret({ reset }: { reset: () => Promise<unknown> }) {
  return (
    <ConfirmButton label={i18n._('Reset the client secret')} confirm={i18n._('Reset it')} act={reset}>
      <p>
        {i18n._(
          'Every secret that your application uses now stops working at once: it can sign nobody in and refresh no tokens until it has the new one. Access tokens stay valid.',
        )}
      </p>
      <p class="hint">
        {i18n._(
          'Reset it if somebody else has a secret. Otherwise exchange it without a gap. It can be reset 10 times in an hour.',
        )}
      </p>
    </ConfirmButton>
  );
}

function MakePublic({ act }: { act: () => Promise<unknown> }) {
  return (
    <ConfirmButton label={i18n._('Make it a public client')} confirm={i18n._('Delete the secret')} act={act}>
      <p>
        {i18n._(
          'The secret is deleted, and refresh tokens work without it. Each sign-in then needs PKCE with the method S256. Do this only for a page or an app that cannot keep a secret.',
        )}
      </p>
    </ConfirmButton>
  );
}
