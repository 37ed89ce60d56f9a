import type { Application } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { UserFacingError } from '../shared/api/user-facing-error.ts';
import { Checkbox, Form } from '../shared/ui.tsx';
import { renameView } from './current-route.ts';
import { NewSecrets } from './new-secrets.tsx';
import { hashOf } from './route.ts';
import { isValid, NEW_SETTINGS, nameProblem, settingsToSend } from './settings/settings.ts';
import { SettingsFields } from './settings/settings-fields.tsx';
import { View } from './view.tsx';

/** A form, and then the new secrets, which only this view shows. */
export function NewApplication() {
  const [draft, setDraft] = useState(NEW_SETTINGS);
  const [isPublic, setPublic] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const [created, setCreated] = useState<Application>();
  const action = useAction(async () => {
    setChecked(true);
    if (!isValid(draft)) throw new UserFacingError('Correct the marked fields first.');
    const body = { ...settingsToSend(draft), public: isPublic };
    const application = await call<Application>('POST', '/oauth2/applications', body);
    renameView(hashOf(application.id));
    setCreated(application);
  });
  if (created) return <NewSecrets application={created} />;
  return (
    <View title="New application">
      <div class="card">
        <Form action={action} submit="Create">
          <SettingsFields
            draft={draft}
            onDraft={setDraft}
            nameProblem={isChecked ? nameProblem(draft.name) : undefined}
            problemOf={action.problemOf}
          />
          <Checkbox
            label="It is a public client: a page or an app that cannot keep a secret."
            checked={isPublic}
            onChecked={setPublic}
          />
        </Form>
      </div>
      <p class="quiet">An account can have 25 applications, and make 10 in an hour.</p>
      <p>
        <a href="#all">All applications</a>
      </p>
    </View>
  );
}
