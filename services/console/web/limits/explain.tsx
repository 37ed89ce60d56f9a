import type { Bucket, ExplainResponse } from '@gatehouse/proto/ratelimit';
import { useAction } from '@gatehouse/web/shared/api/use-action.ts';
import { UserFacingError } from '@gatehouse/web/shared/api/user-facing-error.ts';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { Field } from '@gatehouse/web/shared/ui/field.tsx';
import { Form } from '@gatehouse/web/shared/ui/form.tsx';
import { Select } from '@gatehouse/web/shared/ui/select.tsx';
import { WhenLoaded } from '@gatehouse/web/shared/when-loaded.tsx';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../api/call.ts';
import { fieldProblems } from '../api/field-problems.ts';
import { Facts } from '../parts/facts.tsx';
import { countText, durationText, windowText } from '../text/numbers.ts';
import { useBuckets } from './buckets.ts';
import { partExample, partName } from './key-parts.ts';

/** Explains what a bucket would decide now. It charges nothing. */
export function Explain() {
  const loaded = useBuckets();
  return <WhenLoaded loaded={loaded}>{(buckets) => <ExplainForm buckets={buckets} />}</WhenLoaded>;
}

function ExplainForm({ buckets }: { buckets: readonly Bucket[] }) {
  const [name, setName] = useState(buckets[0]?.name ?? '');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [answer, setAnswer] = useState<ExplainResponse>();
  const key = buckets.find((bucket) => bucket.name === name)?.key ?? [];
  const action = useAction(async () => {
    setAnswer(undefined);
    const identities = key.map((part) => values[part]?.trim() ?? '');
    const missing = key.filter((_, index) => identities[index] === '');
    if (missing.length > 0)
      throw fieldProblems(
        Object.fromEntries(missing.map((part) => [pathOf(part), `Enter one, such as ${partExample(part)}.`])),
      );
    setAnswer(await explain(name, identities));
  });
  return (
    <div class="card">
      <Form action={action} submit="Explain">
        <p>
          What a bucket would decide now about a request, and by which rule. This does not count as a request.
        </p>
        <Select
          label="Bucket"
          value={name}
          onValue={setName}
          options={buckets.map((bucket) => ({ value: bucket.name, text: bucket.name }))}
        />
        {key.map((part, index) => (
          <Field
            key={part}
            label={partName(part)}
            placeholder={partExample(part)}
            value={values[part] ?? ''}
            onValue={(value) => setValues({ ...values, [part]: value })}
            problem={
              action.problemOf(pathOf(part)) ?? (index === 0 ? action.problemOf('identities') : undefined)
            }
          />
        ))}
      </Form>
      {answer && <Answer answer={answer} />}
    </div>
  );
}

function pathOf(part: string): string {
  return `identities.${part}`;
}

/** @throws ApiError; UserFacingError for what ratelimit refuses, with its words */
async function explain(bucket: string, identities: readonly string[]): Promise<ExplainResponse> {
  try {
    return await call<ExplainResponse>('POST', '/limits/explain', { bucket, identities });
  } catch (error) {
    const refused = error instanceof ApiError && error.status === 400;
    if (!refused || error.fields.some(({ path }) => path === 'identities')) throw error;
    const messages = new Set([error.message, ...error.fields.map(({ message }) => message)]);
    throw new UserFacingError([...messages].join(' '));
  }
}

const US_PER_MS = 1_000;

function Answer({ answer: { explanations, admitted, store } }: { answer: ExplainResponse }) {
  return (
    <div role="status" class="answer">
      <p>
        {admitted ? <Badge>admitted</Badge> : <Badge kind="danger">denied</Badge>} Buckets are kept in {store}
        .
      </p>
      {explanations.map(({ set, rule, state, retry_after_us, remembered }) => (
        <Facts
          key={`${set} ${rule?.name}`}
          facts={[
            ['Bucket', <code key="name">{rule?.name}</code>],
            [
              'Rule',
              rule
                ? `${countText(rule.limit)} per ${windowText(rule.window_seconds)}, for each ${rule.key.map((part) => partName(part).toLowerCase()).join(' and ')}`
                : '–',
            ],
            ['Left', state ? `${countText(state.remaining)} of ${countText(state.limit)}` : '–'],
            ['Admitted', retry_after_us > 0 ? `in ${durationText(retry_after_us / US_PER_MS)}` : 'now'],
            ['Remembered denial', remembered ? 'yes: the edge does not ask the store' : 'no'],
          ]}
        />
      ))}
    </div>
  );
}
