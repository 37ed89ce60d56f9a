import type { Application } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import type { Scope } from '../../shared/scopes.ts';
import { ActionButton } from '../../shared/ui/action-button.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { newPkcePair, randomText } from '../authorization/pkce.ts';
import { ScopeBoxes } from '../authorization/scope-boxes.tsx';
import { needsRedirect } from '../authorization/scopes.ts';
import { MAX_REDIRECT_URIS, redirectUriProblem } from '../settings/redirect-uri.ts';
import { type Settings, settingsDraftKey } from '../settings/settings.ts';
import type { TabProps } from '../tab-props.ts';
import { amendDraft } from '../use-draft.ts';
import type { PreparedRequest } from './prepared-request.ts';
import { TryRun } from './try-run.tsx';

/**
 * Walks through the authorization code flow with PKCE, in the role of the application. All secrets stay in this view.
 */
export function TryIt({ application, onChange }: TabProps) {
  const [prepared, setPrepared] = useState<PreparedRequest>();
  return (
    <>
      <section class="card" aria-labelledby="view">
        <h2 id="view" tabIndex={-1}>
          {i18n._('Try it')}
        </h2>
        <p>
          {i18n._(
            'This page plays the part of your application: it asks for authorization by OAuth2, exchanges the code for tokens and uses them. You see every request and every answer.',
          )}
        </p>
        {application.redirect_uris.includes(tryUri()) ? (
          <Preparation application={application} onPrepared={setPrepared} />
        ) : (
          <AddRedirectUri application={application} onChange={onChange} />
        )}
      </section>
      {prepared && <TryRun key={prepared.state} prepared={prepared} />}
    </>
  );
}

function tryUri(): string {
  return `${location.origin}/developers/try`;
}

function AddRedirectUri({ application, onChange }: TabProps) {
  const { id, redirect_uris } = application;
  const uri = tryUri();
  const add = useAction(async () => {
    const change = { redirect_uris: [...redirect_uris, uri] };
    onChange(await call<Application>('PATCH', `/oauth2/applications/${id}`, change));
    amendDraft<Settings>(settingsDraftKey(id), (draft) => ({
      ...draft,
      redirect_uris: [...draft.redirect_uris, uri],
    }));
    document.getElementById('view')?.focus();
  });
  const problem = redirectUriProblem(uri);
  if (problem)
    return (
      <p>
        {i18n._('The code would come back to {uri}, which cannot be a redirect URI. {problem}', {
          uri,
          problem,
        })}
      </p>
    );
  if (redirect_uris.length >= MAX_REDIRECT_URIS)
    return (
      <p>
        <Trans
          id="The application needs the redirect URI <0>{uri}</0> for this, but has {count}, the most there can be. Remove one in the settings."
          components={[<code />]}
          values={{ uri, count: MAX_REDIRECT_URIS }}
        />
      </p>
    );
  return (
    <>
      <p>
        <Trans
          id="The code comes back to <0>{uri}</0>. Your application must have it among its redirect URIs; you can remove it later."
          components={[<code />]}
          values={{ uri }}
        />
      </p>
      <ActionButton action={add} kind="primary">
        {i18n._('Add this redirect URI')}
      </ActionButton>
    </>
  );
}

function Preparation(props: { application: Application; onPrepared: (prepared: PreparedRequest) => void }) {
  const { application, onPrepared } = props;
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set<Scope>(['identify']));
  const [client_secret, setSecret] = useState('');
  const [isChecked, setChecked] = useState(false);
  const needsCode = needsRedirect(scopes, application.bot_require_code_grant);
  const needsSecret = needsCode && !application.public;
  const action = useAction(async () => {
    setChecked(true);
    if (scopes.size === 0 || (needsSecret && client_secret === '')) return;
    onPrepared({
      client_id: application.id,
      client_secret: needsSecret ? client_secret.trim() : '',
      scopes,
      redirect_uri: needsCode ? tryUri() : '',
      state: randomText(),
      ...(await newPkcePair()),
    });
  });
  return (
    <Form action={action} submit={i18n._('Prepare the request')}>
      <ScopeBoxes scopes={scopes} onScopes={setScopes} />
      {isChecked && scopes.size === 0 && <p class="problem">{i18n._('Choose at least one scope.')}</p>}
      {needsSecret && (
        <Field
          label={i18n._('Client secret')}
          type="password"
          hint={i18n._(
            'This page cannot know it. It is sent to nobody but Gatehouse, and forgotten when you leave this view.',
          )}
          value={client_secret}
          onValue={setSecret}
          problem={
            isChecked && client_secret === '' ? i18n._('The exchange of the code needs it.') : undefined
          }
        />
      )}
    </Form>
  );
}
