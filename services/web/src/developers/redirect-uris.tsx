import { useEffect, useRef } from 'preact/hooks';
import { Field } from '../shared/ui.tsx';
import { MAX_REDIRECT_URIS, redirectUriProblems } from './redirect-uri.ts';

/** A line for each redirect URI, which is checked while it is typed. */
export function RedirectUris(props: {
  uris: readonly string[];
  onUris: (uris: string[]) => void;
  problemOf: (path: string) => string | undefined;
}) {
  const { uris, onUris, problemOf } = props;
  const box = useFocusOnNewLine(uris.length);
  const problems = redirectUriProblems(uris);
  const sent = uris.filter((uri) => uri !== '');
  const refused = (uri: string) => (uri === '' ? undefined : problemOf(`redirect_uris.${sent.indexOf(uri)}`));
  return (
    <fieldset ref={box}>
      <legend>Redirect URIs</legend>
      <p class="hint">
        Where people may be sent back to with a code, exactly as your application asks for it. At most{' '}
        {MAX_REDIRECT_URIS}.
      </p>
      {uris.map((uri, index) => (
        <div class="removable">
          <Field
            label={`Redirect URI ${index + 1}`}
            inputMode="url"
            value={uri}
            onValue={(value) => onUris(uris.with(index, value))}
            problem={problems[index] ?? refused(uri)}
          />
          <button
            type="button"
            aria-label={`Remove redirect URI ${index + 1}`}
            onClick={() => onUris(uris.toSpliced(index, 1))}
          >
            Remove
          </button>
        </div>
      ))}
      <button
        type="button"
        aria-disabled={uris.length >= MAX_REDIRECT_URIS}
        onClick={() => uris.length < MAX_REDIRECT_URIS && onUris([...uris, ''])}
      >
        Add a redirect URI
      </button>
    </fieldset>
  );
}

/** A line that was added has the focus; after one was removed, the first button has. */
function useFocusOnNewLine(count: number) {
  const box = useRef<HTMLFieldSetElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const was = before.current;
    before.current = count;
    if (count > was && was > 0)
      box.current?.querySelector<HTMLInputElement>('.removable:last-of-type input')?.focus();
    if (count < was) box.current?.querySelector<HTMLButtonElement>(':scope > button')?.focus();
  }, [count]);
  return box;
}
