import type { Bot } from '@gatehouse/proto/oauth2';
import { call } from '../../shared/api/api.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { PictureField } from '../picture-field.tsx';

export function BotPicture({ bot, onBot }: { bot: Bot; onBot: (bot: Bot) => void }) {
  return (
    <PictureField
      label={i18n._('Picture')}
      src={bot.avatar ? `/media/avatars/${bot.id}/${bot.avatar}` : undefined}
      alt={i18n._('The bot')}
      hint={i18n._('People see it beside the bot’s messages.')}
      member="avatar"
      save={async (avatar) =>
        onBot(await call<Bot>('PATCH', `/oauth2/applications/${bot.id}/bot`, { avatar }))
      }
    />
  );
}
