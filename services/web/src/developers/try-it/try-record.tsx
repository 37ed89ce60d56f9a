import { useState } from 'preact/hooks';
import { i18n } from '../../shared/i18n/i18n.ts';
import { curlCommand } from './curl.ts';
import { hasSecrets, maskSecrets } from './mask-secrets.ts';
import type { TryResponse } from './send-request.ts';
import type { TryRequest } from './try-requests.ts';
import { TryStep } from './try-step.tsx';

/** A request and its response. Credentials are masked until the user shows them. */
export function TryRecord(props: { number: number; request: TryRequest; response: TryResponse }) {
  const { number, request, response } = props;
  const [isShown, setShown] = useState(false);
  const parts = request.form ?? { Authorization: `Bearer ${request.access_token}` };
  const [shownRequest, shownResponse] = isShown
    ? [parts, response.body]
    : [maskSecrets('request', parts), maskSecrets('response', response.body)];
  return (
    <TryStep number={number} title={request.title} explanation={request.explanation}>
      <h3>{i18n._('Request')}</h3>
      <pre>{requestText(request, shownRequest)}</pre>
      <h3>{i18n._('Answer: {status}', { status: response.status })}</h3>
      <pre>
        {Object.keys(response.body).length === 0 ? i18n._('(empty)') : JSON.stringify(shownResponse, null, 2)}
      </pre>
      {(hasSecrets('request', parts) || hasSecrets('response', response.body)) && (
        <button type="button" class="plain" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {i18n._('Show credentials')}
        </button>
      )}
      <details>
        <summary>{i18n._('As curl')}</summary>
        <pre>{curlCommand(location.origin, request)}</pre>
      </details>
    </TryStep>
  );
}

function requestText({ path, form }: TryRequest, parts: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(parts).map(([name, value]) =>
    form ? `${name}=${value}` : `${name}: ${value}`,
  );
  return [`${form ? 'POST' : 'GET'} /api/v1${path}`, ...(form ? [''] : []), ...lines].join('\n');
}
