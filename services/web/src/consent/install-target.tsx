import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { Checkbox } from '../shared/ui/checkbox.tsx';
import { Select } from '../shared/ui/select.tsx';
import {
  type Choice,
  chosenGuild,
  isLocked,
  type OfferedPermission,
  offeredPermissions,
} from './installation.ts';
import type { InstallTarget } from './load-consent.ts';
import { type ConsentRequest, isForBotAlone } from './request.ts';

interface InstallTargetProps {
  readonly request: ConsentRequest;
  readonly target: InstallTarget;
  readonly account_id: string;
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
  /** The error of the chosen guild. */
  readonly problem: { readonly text: string } | undefined;
}

/** Fields to choose the bot's guild and permissions. */
export function InstallTargetFields(props: InstallTargetProps) {
  return (
    <section class="card" aria-labelledby="bot">
      <h2 id="bot">{i18n._('Its bot')}</h2>
      {props.target.kind === 'group' ? (
        <p>
          <Trans
            id="It is added to your group conversation <0>{name}</0>, and can read and write there."
            components={[<strong key="name" dir="auto" />]}
            values={{ name: props.target.name }}
          />
        </p>
      ) : (
        <GuildFields {...props} guilds={props.target.guilds} />
      )}
    </section>
  );
}

function GuildFields(
  props: InstallTargetProps & { guilds: Extract<InstallTarget, { kind: 'guild' }>['guilds'] },
) {
  const { request, target, guilds, account_id, choice, onChoice, problem } = props;
  const guild = chosenGuild(target, choice);
  if (isLocked(request) && guild === undefined)
    return (
      <p>
        {i18n._(
          'The application wants to add it to one particular guild, where you may not add bots. Sign in as somebody who owns or manages this guild.',
        )}
      </p>
    );
  if (guilds.length === 0)
    return (
      <p>{i18n._('You have no guild to add it to: you need to own one, or to be allowed to manage one.')}</p>
    );
  return (
    <>
      {isLocked(request) ? (
        <p>
          <Trans
            id="It is added to the guild <0>{name}</0>."
            components={[<strong key="name" dir="auto" />]}
            values={{ name: guild?.name ?? '' }}
          />
        </p>
      ) : (
        <Select
          label={i18n._('Guild')}
          hint={i18n._('Those that you own or manage.')}
          problem={problem}
          value={choice.guild_id}
          onValue={(guild_id) => onChoice({ ...choice, guild_id })}
          options={[
            { value: '', text: isForBotAlone(request) ? i18n._('Choose a guild') : i18n._('None') },
            ...guilds.map(({ id, name }) => ({ value: id, text: name })),
          ]}
        />
      )}
      <PermissionBoxes
        offered={offeredPermissions(request, guild, account_id, choice.declined)}
        onCheck={(mask, isChecked) =>
          onChoice({ ...choice, declined: isChecked ? choice.declined & ~mask : choice.declined | mask })
        }
      />
    </>
  );
}

function PermissionBoxes(props: {
  offered: readonly OfferedPermission[];
  onCheck: (mask: bigint, isChecked: boolean) => void;
}) {
  if (props.offered.length === 0) return <p>{i18n._('It asks for no permissions of its own there.')}</p>;
  return (
    <fieldset>
      <legend>{i18n._('What it may do there')}</legend>
      <p class="hint">{i18n._('Clear what you do not want to give.')}</p>
      {props.offered.map(({ permission, isHeld, isChecked }) => (
        <Checkbox
          key={permission.name}
          label={
            <>
              {permission.description}
              {!isHeld && (
                <span class="quiet">
                  {' · '}
                  {i18n._('not possible: you may not do this there yourself')}
                </span>
              )}
            </>
          }
          checked={isChecked}
          disabled={!isHeld}
          onChecked={(checked) => props.onCheck(permission.mask, checked)}
        />
      ))}
    </fieldset>
  );
}
