import type { Application } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { UserFacingError } from '../shared/api/user-facing-error.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Checkbox } from '../shared/ui/checkbox.tsx';
import { Form } from '../shared/ui/form.tsx';
import { renameView } from './current-route.ts';
import { NewSecrets } from './new-secrets.tsx';
import { hashOf } from './route.ts';
import { isValid, NEW_SETTINGS, type Settings, settingsToSend } from './settings/settings.ts';
import { SettingsFields } from './settings/settings-fields.tsx';
import { useDraft } from './use-draft.ts';
import { View } from './view.tsx';

/** A form, and then the new secrets, which only this view shows. */
export function NewApplication() {
  const { draft, edit, save } = useDraft<Settings>('new', NEW_SETTINGS);
  const [isPublic, setPublic] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const [created, setCreated] = useState<Application>();
  const action = useAction(async () => {
    setChecked(true);
    if (!isValid(draft)) throw new UserFacingError(i18n._('Correct the marked fields first.'));
    const body = { ...settingsToSend(draft), public: isPublic };
    const application = await call<Application>('POST', '/oauth2/applications', body);
    save();
    renameView(hashOf(application.id));
    setCreated(application);
  });
  if (created) return <NewSecrets application={created} />;
  return (
    <View title={i18n._('New application')}>
      <div class="card">
        <Form action={action} submit={i18n._('Create')}>
          <SettingsFields
            draft={draft}
            onDraft={edit}
            isNameRequired={isChecked}
            problemOf={action.problemOf}
          />
          <Checkbox
            label={i18n._('It is a public client: a page or an app that cannot keep a secret.')}
            checked={isPublic}
            onChecked={setPublic}
          />
        </Form>
      </div>
      <p class="quiet">{i18n._('An account can have 25 applications, and make 10 in an hour.')}</p>
      <p>
        <a href="#all">{i18n._('All applications')}</a>
      </p>
    </View>
  );
}
