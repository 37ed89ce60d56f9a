import type { Application } from '@gatehouse/proto/oauth2';
import { useEffect, useRef } from 'preact/hooks';
import { i18n } from '../shared/i18n/i18n.ts';
import { Copyable } from '../shared/ui/copyable.tsx';
import { showRoute } from './current-route.ts';
import { hashOf } from './route.ts';
import { EnvDownload, EnvHint } from './secrets/env-download.tsx';
import { View } from './view.tsx';

/** The secrets of a new application, which only the response of its creation has. */
export function NewSecrets({ application }: { application: Application }) {
  const { id, name, client_secret, bot } = application;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <View title={name}>
      <section class="card" aria-labelledby="view">
        <h2 id="view" ref={heading} tabIndex={-1}>
          {i18n._('Keep these now')}
        </h2>
        <p>
          {client_secret
            ? i18n._(
                'The client secret and the bot token cannot be shown again. Copy them to where your application runs.',
              )
            : i18n._('The bot token cannot be shown again. Copy it to where your application runs.')}
        </p>
        <Copyable label={i18n._('Application ID')} text={id} />
        {client_secret && <Copyable label={i18n._('Client secret')} text={client_secret} />}
        <Copyable label={i18n._('Bot token')} text={bot?.token ?? ''} />
        <div class="actions">
          <EnvDownload
            environment={{
              client_id: id,
              client_secret: application.public ? null : client_secret,
              bot_token: bot?.token ?? undefined,
              redirect_uri: application.redirect_uris[0],
            }}
          />
          <button type="button" class="primary" onClick={() => showRoute(hashOf(id))}>
            {i18n._('I have kept them')}
          </button>
        </div>
        <EnvHint />
      </section>
    </View>
  );
}
