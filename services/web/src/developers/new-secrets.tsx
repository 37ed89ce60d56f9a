import type { Application } from '@gatehouse/proto/oauth2';
import { useEffect, useRef } from 'preact/hooks';
import { Copyable } from '../shared/ui.tsx';
import { showRoute } from './current-route.ts';
import { hashOf } from './route.ts';
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
          Keep these now
        </h2>
        <p>
          {client_secret ? 'The client secret and the bot token' : 'The bot token'} cannot be shown again.
          Copy {client_secret ? 'them' : 'it'} to where your application runs.
        </p>
        <Copyable label="Application ID" text={id} />
        {client_secret && <Copyable label="Client secret" text={client_secret} />}
        <Copyable label="Bot token" text={bot?.token ?? ''} />
        <button type="button" class="primary" onClick={() => showRoute(hashOf(id))}>
          I have kept them
        </button>
      </section>
    </View>
  );
}
