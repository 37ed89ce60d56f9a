import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { type AuthorizeRequest, idProblem } from './authorize-url.ts';
import { PERMISSION_GROUPS } from './permission-groups.ts';

/** The bot parameters of an authorization URL. */
export function BotFields(props: {
  request: AuthorizeRequest;
  onRequest: (changes: Partial<AuthorizeRequest>) => void;
}) {
  const { request, onRequest } = props;
  const { permissions, guild_id, disable_guild_select } = request;
  return (
    <fieldset>
      <legend>{i18n._('Permissions of the bot')}</legend>
      <p class="hint">
        <Trans
          id="It gets a role with these. Whoever installs it must have them too. As a number: {number}"
          values={{ number: <output>{permissions.toString()}</output> }}
        />
      </p>
      <div class="groups">
        {PERMISSION_GROUPS.map((group) => (
          <fieldset key={group.title}>
            <legend>{group.title}</legend>
            {group.permissions.map(({ name, mask, description }) => (
              <Checkbox
                key={name}
                label={description}
                checked={(permissions & mask) !== 0n}
                onChecked={(checked) =>
                  onRequest({ permissions: checked ? permissions | mask : permissions & ~mask })
                }
              />
            ))}
          </fieldset>
        ))}
      </div>
      <Field
        label={i18n._('ID of the guild')}
        hint={i18n._('Chosen in advance. Empty: the user chooses.')}
        inputMode="numeric"
        value={guild_id}
        onValue={(text) => onRequest({ guild_id: text })}
        problem={idProblem(guild_id)}
      />
      <Checkbox
        label={i18n._('The user cannot choose another guild.')}
        checked={disable_guild_select}
        onChecked={(checked) => onRequest({ disable_guild_select: checked })}
      />
    </fieldset>
  );
}
