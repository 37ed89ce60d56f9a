import type { Application } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { UserFacingError } from '../../shared/api/user-facing-error.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Copyable } from '../../shared/ui/copyable.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { Status } from '../../shared/ui/status.tsx';
import { FirstSteps } from '../first-steps/first-steps.tsx';
import { SecretsSection } from '../secrets/secrets-section.tsx';
import type { TabProps } from '../tab-props.ts';
import { useDraft } from '../use-draft.ts';
import { ApplicationIcon } from './application-icon.tsx';
import { DeleteApplication } from './delete-application.tsx';
import { DetailsFields } from './details-fields.tsx';
import { changesOf, isValid, type Settings, settingsDraftKey, settingsOf } from './settings.ts';
import { SettingsFields } from './settings-fields.tsx';

export function SettingsTab({ application, onChange }: TabProps) {
  return (
    <>
      <FirstSteps application={application} />
      <section class="card" aria-labelledby="view">
        <h2 id="view" tabIndex={-1}>
          {i18n._('Settings')}
        </h2>
        <Copyable label={i18n._('Application ID')} text={application.id} />
        <ApplicationIcon application={application} onChange={onChange} />
        <SettingsForm application={application} onChange={onChange} />
      </section>
      <SecretsSection application={application} onChange={onChange} />
      <DeleteApplication application={application} />
    </>
  );
}

function SettingsForm({ application, onChange }: TabProps) {
  const { draft, edit, save } = useDraft(settingsDraftKey(application.id), settingsOf(application));
  /** What the last save came to. It goes away when the application changes in another way. */
  const [outcome, setOutcome] = useState<{ readonly text: string; readonly application: Application }>();
  const action = useAction(async () => {
    setOutcome(undefined);
    if (!isValid(draft)) throw new UserFacingError(i18n._('Correct the marked fields first.'));
    const changes = changesOf(application, draft);
    if (Object.keys(changes).length === 0) {
      setOutcome({ text: i18n._('There is nothing to save.'), application });
      return;
    }
    const saved = await call<Application>('PATCH', `/oauth2/applications/${application.id}`, changes);
    onChange(saved);
    save();
    setOutcome({ text: i18n._('Saved.'), application: saved });
  });
  const onDraft = (next: Settings) => {
    setOutcome(undefined);
    edit(next);
  };
  return (
    <Form action={action} submit={i18n._('Save')}>
      <SettingsFields draft={draft} onDraft={onDraft} problemOf={action.problemOf} />
      <DetailsFields draft={draft} onDraft={onDraft} problemOf={action.problemOf} />
      <Status text={outcome?.application === application ? outcome.text : undefined} />
    </Form>
  );
}
