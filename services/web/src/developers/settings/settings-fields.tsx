import type { Action } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { RedirectUris } from './redirect-uris.tsx';
import { nameProblem, type Settings } from './settings.ts';

/** The fields of an application's settings, with the errors of the server. */
export function SettingsFields(props: {
  draft: Settings;
  onDraft: (draft: Settings) => void;
  /** Whether an empty name is marked, which it is not before it was sent. */
  isNameRequired?: boolean;
  problemOf: Action<readonly []>['problemOf'];
}) {
  const { draft, onDraft, isNameRequired = true, problemOf } = props;
  return (
    <>
      <Field
        label={i18n._('Name')}
        hint={i18n._('People see it when they are asked to allow the application.')}
        value={draft.name}
        onValue={(name) => onDraft({ ...draft, name })}
        problem={(isNameRequired ? nameProblem(draft.name) : undefined) ?? problemOf('name')}
      />
      <RedirectUris
        uris={draft.redirect_uris}
        onUris={(redirect_uris) => onDraft({ ...draft, redirect_uris })}
        problemOf={problemOf}
      />
      <fieldset>
        <legend>{i18n._('Bot')}</legend>
        <Checkbox
          label={i18n._('Anyone may install the bot. Otherwise only you may.')}
          checked={draft.bot_public}
          onChecked={(bot_public) => onDraft({ ...draft, bot_public })}
        />
        <Checkbox
          label={i18n._('Installing the bot goes through a redirect URI and a code, like signing in.')}
          checked={draft.bot_require_code_grant}
          onChecked={(bot_require_code_grant) => onDraft({ ...draft, bot_require_code_grant })}
        />
      </fieldset>
    </>
  );
}
