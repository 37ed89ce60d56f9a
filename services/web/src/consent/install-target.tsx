import { Select } from '../shared/select.tsx';
import { Tick } from '../shared/ui.tsx';
import { type Choice, chosenGuild, isLocked, type Offer, offers } from './installation.ts';
import type { InstallTarget } from './load.ts';
import { type ConsentRequest, isForBotAlone } from './request.ts';

interface Props {
  readonly request: ConsentRequest;
  readonly place: InstallTarget;
  readonly account_id: string;
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
  /** The error of the chosen guild. */
  readonly problem: { readonly text: string } | undefined;
}

/** Selects the bot's guild and permissions. */
export function InstallTargetFields(props: Props) {
  return (
    <section class="card" aria-labelledby="bot">
      <h2 id="bot">Its bot</h2>
      {props.place.kind === 'group' ? (
        <p>
          It is added to your group conversation <strong>{props.place.name}</strong>, and can read and write
          there.
        </p>
      ) : (
        <InGuild {...props} guilds={props.place.guilds} />
      )}
    </section>
  );
}

function InGuild(props: Props & { guilds: Extract<InstallTarget, { kind: 'guild' }>['guilds'] }) {
  const { request, place, guilds, account_id, choice, onChoice, problem } = props;
  const guild = chosenGuild(place, choice);
  if (isLocked(request) && guild === undefined)
    return (
      <p>
        The application wants to add it to one certain guild, where you may not add bots. Sign in as somebody
        who owns this guild or manages it.
      </p>
    );
  if (guilds.length === 0)
    return <p>You have no guild to add it to: you need to own one, or to be allowed to manage one.</p>;
  return (
    <>
      {isLocked(request) ? (
        <p>
          It is added to the guild <strong>{guild?.name}</strong>.
        </p>
      ) : (
        <Select
          label="Guild"
          hint="Those that you own or manage."
          problem={problem}
          value={choice.guild_id}
          onValue={(guild_id) => onChoice({ ...choice, guild_id })}
          options={[
            { value: '', text: isForBotAlone(request) ? 'Choose a guild' : 'None' },
            ...guilds.map(({ id, name }) => ({ value: id, text: name })),
          ]}
        />
      )}
      <Boxes
        offers={offers(request, guild, account_id, choice.without)}
        onTick={(mask, isTicked) =>
          onChoice({ ...choice, without: isTicked ? choice.without & ~mask : choice.without | mask })
        }
      />
    </>
  );
}

function Boxes(props: { offers: readonly Offer[]; onTick: (mask: bigint, isTicked: boolean) => void }) {
  if (props.offers.length === 0) return <p>It asks for no permissions of its own there.</p>;
  return (
    <fieldset>
      <legend>What it may do there</legend>
      <p class="hint">Untick what you do not want to give.</p>
      {props.offers.map(({ permission, isPossible, isTicked }) => (
        <Tick
          key={permission.name}
          label={
            <>
              {permission.words}
              {!isPossible && <span class="quiet"> · not possible: you may not do this there yourself</span>}
            </>
          }
          checked={isTicked}
          disabled={!isPossible}
          onChecked={(ticked) => props.onTick(permission.mask, ticked)}
        />
      ))}
    </fieldset>
  );
}
