import type { Application } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { UserFacingError } from '../../shared/api/user-facing-error.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { showRoute } from '../current-route.ts';

export function DeleteApplication({ application: { id, name } }: { application: Application }) {
  const [typed, setTyped] = useState('');
  const remove = async () => {
    if (typed !== name) throw new UserFacingError(i18n._('Type “{name}” to delete it.', { name }));
    await call('DELETE', `/oauth2/applications/${id}`);
    showRoute('#all');
  };
  return (
    <section class="card" aria-labelledby="delete">
      <h2 id="delete">{i18n._('Delete the application')}</h2>
      <p>{i18n._('Its tokens end, and its bot leaves every guild. This cannot be undone.')}</p>
      <ConfirmButton label={i18n._('Delete the application')} confirm={i18n._('Delete it')} act={remove}>
        <p>
          <Trans
            id="Everybody who signed in with {name} is signed out of it, and its bot is gone from every guild."
            values={{ name: <strong dir="auto">{name}</strong> }}
          />
        </p>
        <Field label={i18n._('Type “{name}” to delete it', { name })} value={typed} onValue={setTyped} />
      </ConfirmButton>
    </section>
  );
}
