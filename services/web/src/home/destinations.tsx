import { i18n } from '../shared/i18n/i18n.ts';

/** The pages where one can begin, each with what it is for. */
export function Destinations() {
  return (
    <div class="destinations">
      <Destination
        href="/account"
        title={i18n._('Your account')}
        text={i18n._('Devices that are signed in, second factors, and the applications you allowed.')}
      />
      <Destination
        href="/guilds"
        title={i18n._('Your guilds')}
        text={i18n._(
          'Get alerts and messages of other programs into a channel, and manage bots, members and roles.',
        )}
      />
      <Destination
        href="/developers"
        title={i18n._('For developers')}
        text={i18n._('Register applications and bots.')}
      />
      <Destination
        href="/docs"
        title={i18n._('Documentation')}
        text={i18n._('Every operation of the API with examples, and guides to its rules.')}
      />
    </div>
  );
}

function Destination({ href, title, text }: { href: string; title: string; text: string }) {
  return (
    <div class="card">
      <h2>
        <a href={href}>{title}</a>
      </h2>
      <p>{text}</p>
    </div>
  );
}
