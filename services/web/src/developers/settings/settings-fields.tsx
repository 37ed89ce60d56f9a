import type { Action } from '../../shared/api/use-action.ts';
import { Checkbox, Field } from '../../shared/ui.tsx';
import { RedirectUris } from './redirect-uris.tsx';
import type { Settings } from './settings.ts';

/** The fields of an application's settings, with the errors of the server. */
export function SettingsFields(props: {
  draft: Settings;
  onDraft: (draft: Settings) => void;
  nameProblem: string | undefined;
  problemOf: Action<readonly []>['problemOf'];
}) {
  const { draft, onDraft, nameProblem, problemOf } = props;
  return (
    <>
      <Field
        label="Name"
        hint="People see it when they are asked to allow the application."
        value={draft.name}
        onValue={(name) => onDraft({ ...draft, name })}
        problem={nameProblem ?? problemOf('name')}
      />
      <RedirectUris
        uris={draft.redirect_uris}
        onUris={(redirect_uris) => onDraft({ ...draft, redirect_uris })}
        problemOf={problemOf}
      />
      <fieldset>
        <legend>Bot</legend>
        <Checkbox
          label="Anyone may install the bot. Otherwise only you may."
          checked={draft.bot_public}
          onChecked={(bot_public) => onDraft({ ...draft, bot_public })}
        />
        <Checkbox
          label="Installing the bot goes through a redirect URI and a code, like signing in."
          checked={draft.bot_require_code_grant}
          onChecked={(bot_require_code_grant) => onDraft({ ...draft, bot_require_code_grant })}
        />
      </fieldset>
    </>
  );
}
