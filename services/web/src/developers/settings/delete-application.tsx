import type { Application } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { UserFacingError } from '../../shared/api/user-facing-error.ts';
import { Field } from '../../shared/ui.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { showRoute } from '../current-route.ts';

export function DeleteApplication({ application: { id, name } }: { application: Application }) {
  const [typed, setTyped] = useState('');
  const remove = async () => {
    if (typed !== name) throw new UserFacingError(`Type “${name}” to delete it.`);
    await call('DELETE', `/oauth2/applications/${id}`);
    showRoute('#all');
  };
  return (
    <section class="card" aria-labelledby="delete">
      <h2 id="delete">Delete the application</h2>
      <p>Its tokens end, and its bot leaves every guild. This cannot be undone.</p>
      <ConfirmButton label="Delete the application" confirm="Delete it" act={remove}>
        <p>
          Everybody who signed in with <strong>{name}</strong> is signed out of it, and its bot is gone from
          every guild.
        </p>
        <Field label={`Type “${name}” to delete it`} value={typed} onValue={setTyped} />
      </ConfirmButton>
    </section>
  );
}
