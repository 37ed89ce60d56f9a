import { GUIDES, operationPath } from '../links.ts';
import { operationTitle } from '../operation-title.ts';
import { BASE_URL, withPlaceholders } from '../placeholders.ts';
import type { Site } from './frame.tsx';

const ABOUT: Readonly<Record<string, string>> = {
  'sign-in-with-gatehouse': 'a login button for your page, with examples',
  conventions: 'IDs, times, bodies, headers, CORS',
  errors: 'the error response, every code',
  credentials: 'accounts, sessions, bots, sudo mode',
  oauth2: 'applications, consent, tokens, PKCE',
  guilds: 'permissions, roles, channels, messages',
  webhooks: 'execution, formats of other services',
  'rate-limits': 'buckets, the 429 response, headers',
  gateway: 'the WebSocket connection, resuming',
  'works-with': 'clients and libraries that are tested with Gatehouse',
};

/** The start page: the guides, and every operation. */
export function OverviewPage({ site: { document, operations } }: { site: Site }) {
  return (
    <>
      <p>{document.info.summary}</p>
      <p>
        The address of the API is <Address />. <a href="/api/v1/openapi.json">openapi.json</a> describes it
        for programs, and <a href="/api/v1/asyncapi.json">asyncapi.json</a> the Gateway.
      </p>
      <p>
        New here? <a href="/docs/sign-in-with-gatehouse">Add “Sign in with Gatehouse” to a page</a> has
        complete examples.
      </p>
      <h2>Guides</h2>
      <ul class="cards">
        {GUIDES.map(({ name, title }) => (
          <li key={name}>
            <a href={`/docs/${name}`}>{title}</a>
            <span class="quiet">{ABOUT[name]}</span>
          </li>
        ))}
        <li>
          <a href="/docs/gateway-reference">Gateway events</a>
          <span class="quiet">opcodes, events, close codes</span>
        </li>
      </ul>
      {document.tags.map(({ name, description }) => (
        <section key={name}>
          <h2 id={name.toLowerCase()}>{name}</h2>
          <p>{description}</p>
          <ul class="operations">
            {operations
              .filter(({ tag }) => tag === name)
              .map(({ operationId, method, path }) => (
                <li key={operationId} id={operationId}>
                  <a href={operationPath(operationId)}>{operationTitle(operationId)}</a>
                  <span>
                    <span class="verb" data-verb={method}>
                      {method}
                    </span>{' '}
                    <code>{path}</code>
                  </span>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Address() {
  return <code dangerouslySetInnerHTML={{ __html: withPlaceholders(`${BASE_URL}/api/v1`) }} />;
}
