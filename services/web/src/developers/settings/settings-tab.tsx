import type { Application } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { UserFacingError } from '../../shared/api/user-facing-error.ts';
import { Copyable, Form, Status } from '../../shared/ui.tsx';
import type { TabProps } from '../tab-props.ts';
import { useDraft } from '../use-draft.ts';
import { ClientSecret } from './client-secret.tsx';
import { DeleteApplication } from './delete-application.tsx';
import { changesOf, isValid, nameProblem, type Settings, settingsDraftKey } from './settings.ts';
import { SettingsFields } from './settings-fields.tsx';

export function SettingsTab({ application, onChange }: TabProps) {
  return (
    <>
      <section class="card" aria-labelledby="view">
        <h2 id="view" tabIndex={-1}>
          Settings
        </h2>
        <Copyable label="Application ID" text={application.id} />
        <SettingsForm application={application} onChange={onChange} />
      </section>
      <ClientSecret application={application} onChange={onChange} />
      <DeleteApplication application={application} />
    </>
  );
}

function SettingsForm({ application, onChange }: TabProps) {
  const { draft, edit, save } = useDraft<Settings>(settingsDraftKey(application.id), application);
  const [announcement, setAnnouncement] = useState<string>();
  const action = useAction(async () => {
    setAnnouncement(undefined);
    if (!isValid(draft)) throw new UserFacingError('Correct the marked fields first.');
    const changes = changesOf(application, draft);
    if (Object.keys(changes).length === 0) {
      setAnnouncement('There is nothing to save.');
      return;
    }
    const saved = await call<Application>('PATCH', `/oauth2/applications/${application.id}`, changes);
    onChange(saved);
    save(saved);
    setAnnouncement('Saved.');
  });
  return (
    <Form action={action} submit="Save">
      <SettingsFields
        draft={draft}
        onDraft={(next) => {
          setAnnouncement(undefined);
          edit(next);
        }}
        nameProblem={nameProblem(draft.name)}
        problemOf={action.problemOf}
      />
      <Status text={announcement} />
    </Form>
  );
}
