import type { Bot } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { withSudo } from '../../shared/sudo/sudo.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { Status } from '../../shared/ui/status.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { ShownOnce } from '../shown-once.tsx';
import type { TabProps } from '../tab-props.ts';
import { useDraft } from '../use-draft.ts';
import { BotPicture } from './bot-picture.tsx';
import { BotPresence } from './bot-presence.tsx';
import { Installations } from './installations.tsx';

export function BotTab({ application, onChange }: TabProps) {
  const { bot } = application;
  if (bot == null) return <p>{i18n._('This application has no bot.')}</p>;
  const onBot = (changed: Bot) => onChange({ ...application, bot: changed });
  return (
    <>
      <section class="card" aria-labelledby="view">
        <h2 id="view" tabIndex={-1}>
          {i18n._('Bot')}
        </h2>
        <BotPresence application_id={application.id} />
        <BotPicture bot={bot} onBot={onBot} />
        <NameForm bot={bot} onBot={onBot} />
      </section>
      <Installations application_id={application.id} />
      <BotToken application_id={application.id} />
    </>
  );
}

function NameForm({ bot, onBot }: { bot: Bot; onBot: (bot: Bot) => void }) {
  const { draft: username, edit, save } = useDraft(`${bot.id}/bot`, bot.username);
  const [isSaved, setSaved] = useState(false);
  const action = useAction(async () => {
    const changed = await call<Bot>('PATCH', `/oauth2/applications/${bot.id}/bot`, { username });
    onBot(changed);
    save();
    setSaved(true);
  });
  return (
    <Form action={action} submit={i18n._('Save the name')}>
      <Field
        label={i18n._('Name of the bot')}
        hint={i18n._('1 to 32 letters, digits, “_” and “.”. No other account may have it.')}
        value={username}
        onValue={(value) => {
          setSaved(false);
          edit(value);
        }}
        problem={action.problemOf('username')}
      />
      <Status text={isSaved ? i18n._('Saved.') : undefined} />
    </Form>
  );
}

function BotToken({ application_id }: { application_id: string }) {
  const [token, setToken] = useState<string>();
  const path = `/oauth2/applications/${application_id}/bot/reset-token`;
  const reset = async () => {
    const response = await withSudo(() => call<{ token: string }>('POST', path));
    setToken(response.token);
  };
  return (
    <section class="card" aria-labelledby="bot-token">
      <h2 id="bot-token">{i18n._('Bot token')}</h2>
      <p>{i18n._("The bot signs in with it. Keep it secret: it gives anyone the bot's rights.")}</p>
      {token && <ShownOnce label={i18n._('New bot token')} text={token} />}
      <ConfirmButton label={i18n._('Reset the bot token')} confirm={i18n._('Reset it')} act={reset}>
        <p>
          {i18n._(
            'The token that your bot uses now stops working at once: the bot is away until it has the new one.',
          )}
        </p>
        <p class="hint">
          {i18n._('It can be reset 10 times in an hour. You may be asked to prove that it is you.')}
        </p>
      </ConfirmButton>
    </section>
  );
}
