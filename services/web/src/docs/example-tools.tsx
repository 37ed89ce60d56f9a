import { useSignal, useSignalEffect } from '@preact/signals';
import { session } from '../shared/api/session.ts';
import { copyText } from '../shared/copy-text.ts';
import { Select } from '../shared/ui/select.tsx';
import { fillIn } from './fill-in.ts';
import { applications, chosenId, readerApplication } from './reader-application.ts';

/** Below an example: a button that copies it, and the application whose ID it has. */
export function ExampleTools() {
  const copied = useSignal('');
  useSignalEffect(() => fillIn('application_id', readerApplication.value?.id));
  const copy = async () => {
    copied.value = (await copyText(shownExample())) ? 'Copied' : 'Select the text to copy it';
  };
  return (
    <>
      <div class="actions">
        <button type="button" onClick={() => void copy()}>
          Copy the example
        </button>
        <span role="status" class="quiet">
          {copied}
        </span>
      </div>
      {document.querySelector('[data-value="application_id"]') !== null && <OwnApplication />}
    </>
  );
}

function shownExample(): string {
  const language = document.querySelector<HTMLInputElement>('input[name="language"]:checked')?.value;
  return document.querySelector(`.example[data-language="${language}"] code`)?.textContent ?? '';
}

function OwnApplication() {
  const all = applications.value ?? [];
  if (session.value === undefined)
    return (
      <p class="quiet">
        <a href="/developers">Sign in</a> to see the ID of your application here.
      </p>
    );
  if (all.length === 0)
    return (
      <p class="quiet">
        {applications.value && <a href="/developers#new">Create an application to see its ID here.</a>}
      </p>
    );
  return (
    <div class="own-application">
      <Select
        label="The application in the example"
        value={readerApplication.value?.id ?? ''}
        onValue={(id) => {
          chosenId.value = id;
        }}
        options={all.map(({ id, name }) => ({ value: id, text: name }))}
      />
    </div>
  );
}
