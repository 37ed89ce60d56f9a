import type { Authorization } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { Confirm } from '../shared/confirm.tsx';
import { formatList } from '../shared/i18n/format.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { plainName } from '../shared/plain-name.ts';
import { Checkbox } from '../shared/ui/checkbox.tsx';
import { describeScopes } from './describe-scopes.ts';
import { BotGuilds } from './guilds/bot-guilds.tsx';
import { guildsWithBot, type OwnGuild } from './guilds/own-guild.ts';

interface AuthorizedAppsProps {
  readonly authorizations: readonly Authorization[];
  /** Those that may have the bots of the applications. */
  readonly guilds: readonly OwnGuild[];
  readonly onRemoved: (text: string) => Promise<void>;
  /** Called when an authorization no longer exists. */
  readonly onStale: () => Promise<void>;
}

/** The list of authorized applications, with a checkbox to select those to remove. */
export function AuthorizedApps({ authorizations, guilds, onRemoved, onStale }: AuthorizedAppsProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const applications = authorizations.map(({ application, scopes }) => ({
    id: application?.id ?? '',
    name: plainName(application?.name ?? ''),
    scopes,
  }));
  const chosen = applications.filter(({ id }) => selected.has(id));
  const toggle = (id: string, on: boolean) => {
    const next = new Set(selected);
    if (on) next.add(id);
    else next.delete(id);
    setSelected(next);
  };
  return (
    <>
      <p>{i18n._('You allowed these to use your account. Select those that you want to remove.')}</p>
      <ul class="rows">
        {applications.map(({ id, name, scopes }) => (
          <li key={id}>
            <div>
              <Checkbox
                label={<Name text={name} />}
                checked={selected.has(id)}
                onChecked={(on) => toggle(id, on)}
              />
              <ul class="quiet granted">
                {describeScopes(scopes).map((text) => (
                  <li key={text}>{text}</li>
                ))}
                <BotGuilds guilds={guildsWithBot(guilds, id)} />
              </ul>
            </div>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="danger"
        aria-disabled={chosen.length === 0}
        onClick={() => setAsking(chosen.length > 0)}
      >
        {i18n._('Remove access')}
      </button>
      {isAsking && (
        <RemoveAccess
          applications={chosen}
          onClose={() => setAsking(false)}
          onStale={onStale}
          onRemoved={async (text) => {
            setAsking(false);
            setSelected(new Set());
            await onRemoved(text);
          }}
        />
      )}
    </>
  );
}

function Name({ text }: { text: string }) {
  return (
    <strong>
      <bdi>{text}</bdi>
    </strong>
  );
}

/** Asks before the access of applications ends. */
function RemoveAccess(props: {
  applications: readonly { readonly id: string; readonly name: string }[];
  onClose: () => void;
  onStale: () => Promise<void>;
  onRemoved: (text: string) => Promise<void>;
}) {
  const { applications, onClose, onStale, onRemoved } = props;
  const names = formatList(applications.map(({ name }) => name));
  // Revoking is all or nothing. The reloaded list no longer has deleted applications, so the user can try again.
  const refused = async (error: unknown) => {
    await onStale();
    throw error;
  };
  return (
    <Confirm
      title={i18n._('Remove access?')}
      submit={i18n._('Remove access')}
      onClose={onClose}
      act={async () => {
        const application_ids = applications.map(({ id }) => id);
        await call('POST', '/oauth2/@me/authorizations/revoke', { application_ids }).catch(refused);
        await onRemoved(i18n._('{names} can no longer use your account.', { names }));
      }}
    >
      <p>
        <Trans
          id="{names} can no longer see anything of your account. A bot that was installed stays in its guilds until it is removed there."
          values={{ names: <bdi>{names}</bdi> }}
        />
      </p>
    </Confirm>
  );
}
