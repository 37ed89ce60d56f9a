import { useState } from 'preact/hooks';
import { curlCommand } from './curl.ts';
import { hasSecrets, masked } from './masked.ts';
import type { TryAnswer } from './send-request.ts';
import type { TryRequest } from './try-requests.ts';
import { TryStep } from './try-step.tsx';

/** A request and its response. Credentials are masked until the user shows them. */
export function TryRecord(props: { number: number; request: TryRequest; answer: TryAnswer }) {
  const { number, request, answer } = props;
  const [isShown, setShown] = useState(false);
  const parts = request.form ?? { Authorization: `Bearer ${request.access_token}` };
  const [sent, answered] = isShown
    ? [parts, answer.body]
    : [masked('request', parts), masked('answer', answer.body)];
  return (
    <TryStep number={number} title={request.title} why={request.why}>
      <h3>Request</h3>
      <pre>{requestText(request, sent)}</pre>
      <h3>Answer: {answer.status}</h3>
      <pre>{Object.keys(answer.body).length === 0 ? '(empty)' : JSON.stringify(answered, null, 2)}</pre>
      {(hasSecrets('request', parts) || hasSecrets('answer', answer.body)) && (
        <button type="button" class="plain" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          Show credentials
        </button>
      )}
      <details>
        <summary>As curl</summary>
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
