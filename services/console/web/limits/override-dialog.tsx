import { Checkbox } from '@gatehouse/web/shared/ui/checkbox.tsx';
import { Field } from '@gatehouse/web/shared/ui/field.tsx';
import { Select } from '@gatehouse/web/shared/ui/select.tsx';
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { fieldProblems } from '../api/field-problems.ts';
import { ReasonDialog } from '../parts/reason-dialog.tsx';
import { countText, windowText } from '../text/numbers.ts';
import { useBuckets } from './buckets.ts';
import { DURATIONS, type OverrideFields, readOverride } from './override-form.ts';

const EMPTY: OverrideFields = {
  bucket: '',
  exempt: false,
  limit: '',
  window_seconds: '',
  lasts_seconds: '86400',
};

/** Sets the override of an identity; '' asks for it too. */
export function OverrideDialog(props: { identity: string; onClose: () => void; onDone: () => unknown }) {
  const { identity: given, onClose, onDone } = props;
  const [identity, setIdentity] = useState(given);
  const [fields, setFields] = useState(EMPTY);
  const change = (changes: Partial<OverrideFields>) => setFields({ ...fields, ...changes });
  const problems = () => {
    const read = readOverride(fields, Date.now());
    return {
      ...(identity.trim() === '' && { identity: 'Enter one, such as account:1 or ip:192.0.2.1.' }),
      ...('problems' in read && read.problems),
    };
  };
  const set = async (reason: string) => {
    const read = readOverride(fields, Date.now());
    if ('problems' in read) throw fieldProblems(read.problems);
    await call('PUT', '/limits/overrides', { identity: identity.trim(), ...read.body, reason });
    return undefined;
  };
  return (
    <ReasonDialog
      action={{
        title: given === '' ? 'Set an override' : `Set an override for ${given}`,
        submit: 'Set the override',
        kind: 'primary',
        consequences: [
          'It replaces the override of the same bucket, and every edge applies it within a second.',
        ],
        done: 'The override is set.',
        problems,
        act: set,
      }}
      onClose={onClose}
      onDone={onDone}
    >
      {(problemOf) => (
        <>
          {given === '' && (
            <Field
              label="Identity"
              placeholder="account:123456789"
              value={identity}
              onValue={setIdentity}
              problem={problemOf('identity')}
            />
          )}
          <BucketSelect fields={fields} change={change} />
          <Checkbox
            label="Exempt: admit everything, count nothing"
            checked={fields.exempt}
            onChecked={(exempt) => change({ exempt })}
          />
          {!fields.exempt && (
            <LimitFields
              fields={fields}
              change={change}
              limitProblem={problemOf('limit')}
              windowProblem={problemOf('window_seconds')}
            />
          )}
          <Select
            label="Lasts"
            value={fields.lasts_seconds}
            onValue={(lasts_seconds) => change({ lasts_seconds })}
            options={DURATIONS}
          />
        </>
      )}
    </ReasonDialog>
  );
}

interface PartProps {
  readonly fields: OverrideFields;
  readonly change: (changes: Partial<OverrideFields>) => void;
}

function BucketSelect({ fields, change }: PartProps) {
  const buckets = useBuckets().value ?? [];
  const chosen = buckets.find(({ name }) => name === fields.bucket);
  return (
    <Select
      label="Bucket"
      value={fields.bucket}
      onValue={(bucket) => change({ bucket })}
      options={[
        { value: '', text: 'All buckets' },
        ...buckets.map(({ name }) => ({ value: name, text: name })),
      ]}
      hint={chosen && `Normally: ${countText(chosen.limit)} per ${windowText(chosen.window_seconds)}.`}
    />
  );
}

function LimitFields(
  props: PartProps & { limitProblem: string | undefined; windowProblem: string | undefined },
) {
  const { fields, change, limitProblem, windowProblem } = props;
  return (
    <div class="side-by-side">
      <Field
        label="Limit"
        inputMode="numeric"
        value={fields.limit}
        onValue={(limit) => change({ limit })}
        problem={limitProblem}
      />
      <Field
        label="Window, in seconds"
        inputMode="numeric"
        value={fields.window_seconds}
        onValue={(window_seconds) => change({ window_seconds })}
        problem={windowProblem}
      />
    </div>
  );
}
