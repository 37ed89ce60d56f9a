import { useEffect, useRef, useState } from 'preact/hooks';
import { errorText } from '../../shared/api/error-text.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Field } from '../../shared/ui/field.tsx';
import { Problem } from '../../shared/ui/problem.tsx';
import { Select } from '../../shared/ui/select.tsx';
import { TextArea } from '../../shared/ui/text-area.tsx';
import { callForTab } from '../managed-guild.ts';
import { exampleOf, isExample } from './example-payloads.ts';
import { formatOptions } from './format-text.ts';
import { MessageView } from './message-view.tsx';
import { previewReasonText } from './reason-text.ts';
import type { Dialect, Preview, Webhook } from './webhook.ts';

const DELAY_MS = 400;
const MAX_BYTES = 2 * 1024 * 1024;

interface MessagePreviewProps {
  readonly webhook: Webhook;
  /** The format of the chosen sender. The preview follows it while its payload is an example. */
  readonly suggested: Dialect;
}

/** Shows the message of a payload while it is pasted or edited. Nothing is posted. */
export function MessagePreview({ webhook, suggested }: MessagePreviewProps) {
  const [dialect, setDialect] = useState(suggested);
  const [event, setEvent] = useState('issues');
  const [payload, setPayload] = useState(() => exampleOf(suggested));
  const { preview, problem } = usePreview(dialect, event, payload);
  const choose = (value: Dialect) => {
    setDialect(value);
    if (isExample(payload)) setPayload(exampleOf(value));
  };
  useEffect(() => {
    if (isExample(payload)) choose(suggested);
  }, [suggested]);
  return (
    <section class="card">
      <h3>{i18n._('Preview')}</h3>
      <p>{i18n._('Paste what a sender sends: its message is shown, and nothing is posted.')}</p>
      <Select
        label={i18n._('Format')}
        value={dialect}
        onValue={(value) => choose(value as Dialect)}
        options={formatOptions()}
      />
      {dialect === 'codehost' && (
        <Field label={i18n._('Event (X-Codehost-Event)')} value={event} onValue={setEvent} />
      )}
      <TextArea label={i18n._('Payload')} value={payload} onValue={setPayload} rows={10} isCode />
      <Problem text={problem} />
      <div role="status">{preview && <PreviewResult preview={preview} webhook={webhook} />}</div>
    </section>
  );
}

function PreviewResult({ preview, webhook }: { preview: Preview; webhook: Webhook }) {
  if (preview.outcome === 'posted') return <MessageView preview={preview} webhook={webhook} />;
  return (
    <div class="notice warning">
      <p>{i18n._('Nothing would be posted. {reason}', { reason: previewReasonText(preview.reason) })}</p>
      <ul>
        {preview.problems.map(({ path, message }) => (
          <li key={path} lang="en" dir="ltr">
            <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Renders a payload at the server, a moment after its last change. Late answers are dropped. */
function usePreview(dialect: Dialect, event: string, payload: string) {
  const [preview, setPreview] = useState<Preview>();
  const [problem, setProblem] = useState<string>();
  const newest = useRef(0);
  useEffect(() => {
    const attempt = ++newest.current;
    const show = (found: Preview | undefined, failure: string | undefined) => {
      if (attempt !== newest.current) return;
      setPreview(found);
      setProblem(failure);
    };
    const timer = setTimeout(async () => {
      if (payload.length > MAX_BYTES) {
        show(undefined, i18n._('This is too long: a preview takes at most 2 MiB.'));
        return;
      }
      try {
        const headers = dialect === 'codehost' ? { event } : {};
        show(
          await callForTab<Preview>('POST', '/webhooks/preview', { dialect, payload, ...headers }),
          undefined,
        );
      } catch (error) {
        show(undefined, errorText(error));
      }
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [dialect, event, payload]);
  return { preview, problem };
}
