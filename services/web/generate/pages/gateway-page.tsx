import { type AsyncApi, type Frame, framesOf } from '../asyncapi.ts';
import { JSON_STYLE, literal } from '../examples/literal.ts';
import { highlight } from '../highlight.ts';
import { Code, Text } from './html.tsx';
import { Member, objectsIn } from './members.tsx';
import { Body } from './responses.tsx';

/** The frames of the Gateway and its close codes. */
export function GatewayPage({ document }: { document: AsyncApi }) {
  const served = framesOf(document, 'send');
  return (
    <>
      <p>
        Each text message of the WebSocket is one frame. The <a href="/docs/gateway">guide</a> explains the
        rules; <a href="/api/v1/asyncapi.json">asyncapi.json</a> describes the frames for programs.
      </p>
      <Frames document={document} title="Frames of clients" frames={framesOf(document, 'receive')} />
      <Frames
        document={document}
        title="Frames of the server"
        frames={served.filter((one) => !isEvent(one))}
      />
      <Frames document={document} title="Events" frames={served.filter(isEvent)} />
      <CloseCodes document={document} />
      <h2 id="limits">Limits</h2>
      <p>Limits that are settings are shown with their defaults.</p>
      <ul class="members">
        {Object.entries(document.channels.gateway['x-limits']).map(([name, value]) => (
          <li key={name} class="member">
            <code>{name}</code> {value}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Events have a name, `t`. */
function isEvent({ payload }: Frame): boolean {
  return typeof payload.properties?.t?.const === 'string';
}

function Frames(props: { document: AsyncApi; title: string; frames: readonly Frame[] }) {
  const { document, title, frames } = props;
  return (
    <>
      <h2 id={title.toLowerCase().replaceAll(' ', '-')}>{title}</h2>
      {frames.map(({ name, summary, payload, examples }) => (
        <section key={name} class="frame">
          <h3 id={name}>
            <code>{name}</code> <span class="type">op {String(payload.properties?.op?.const)}</span>
          </h3>
          <p>
            <Text markdown={payload.description ?? summary} />
          </p>
          {payload.properties?.d && (
            <ul class="members">
              <li>
                <Member name="d" schema={payload.properties.d} description="" />
                {objectsIn(payload.properties.d, document).length > 0 && (
                  <details class="inside">
                    <summary>Members of d in {name}</summary>
                    <Body document={document} schema={payload.properties.d} isRequest={false} />
                  </details>
                )}
              </li>
            </ul>
          )}
          {examples?.[0] && <Code html={highlight(literal(examples[0].payload, JSON_STYLE), 'json')} />}
        </section>
      ))}
    </>
  );
}

const ACTIONS = {
  resume: 'Reconnect and resume.',
  identify: 'Reconnect and identify.',
  stop: 'Do not reconnect before the cause is gone.',
} as const;

function CloseCodes({ document }: { document: AsyncApi }) {
  return (
    <>
      <h2 id="close-codes">Close codes</h2>
      <dl class="errors">
        {document.channels.gateway['x-close-codes'].map(({ code, meaning, when, action }) => (
          <div key={code}>
            <dt id={`close-${code}`}>{code}</dt>
            <dd>
              <strong>{meaning}</strong>: <Text markdown={when} />.{' '}
              <span class="quiet">{ACTIONS[action]}</span>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
