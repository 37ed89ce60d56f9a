import type { Action } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Field } from '../../shared/ui/field.tsx';
import { TextArea } from '../../shared/ui/text-area.tsx';
import { DESCRIPTION_MAX, descriptionProblem, legalUrlProblem, type Settings } from './settings.ts';

/** What the application says about itself where people are asked to allow it. Each field may be empty. */
export function DetailsFields(props: {
  draft: Settings;
  onDraft: (draft: Settings) => void;
  problemOf: Action<readonly []>['problemOf'];
}) {
  const { draft, onDraft, problemOf } = props;
  return (
    <fieldset>
      <legend>{i18n._('What people see when they are asked to allow it')}</legend>
      <TextArea
        label={i18n._('Description')}
        hint={i18n._('What the application is for, in at most {max} characters.', { max: DESCRIPTION_MAX })}
        rows={3}
        value={draft.description ?? ''}
        onValue={(description) => onDraft({ ...draft, description })}
        problem={descriptionProblem(draft.description) ?? problemOf('description')}
      />
      <Field
        label={i18n._('Terms of service')}
        hint={i18n._('The address of a page, such as https://example.com/terms.')}
        inputMode="url"
        value={draft.terms_url ?? ''}
        onValue={(terms_url) => onDraft({ ...draft, terms_url })}
        problem={legalUrlProblem(draft.terms_url) ?? problemOf('terms_url')}
      />
      <Field
        label={i18n._('Privacy policy')}
        hint={i18n._('The address of a page.')}
        inputMode="url"
        value={draft.privacy_url ?? ''}
        onValue={(privacy_url) => onDraft({ ...draft, privacy_url })}
        problem={legalUrlProblem(draft.privacy_url) ?? problemOf('privacy_url')}
      />
    </fieldset>
  );
}
