import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Field } from '../../shared/ui/field.tsx';
import { MAX_REDIRECT_URIS, redirectUriProblems } from './redirect-uri.ts';

const EXAMPLE = 'http://localhost:3000/callback';

/** A field for each redirect URI, checked while typing. */
export function RedirectUris(props: {
  uris: readonly string[];
  onUris: (uris: string[]) => void;
  problemOf: (path: string) => string | undefined;
}) {
  const { uris, onUris, problemOf } = props;
  const [box, focusNext] = useFocusAfter(uris.length);
  const problems = redirectUriProblems(uris);
  const sent = uris.filter((uri) => uri !== '');
  const refused = (uri: string) => (uri === '' ? undefined : problemOf(`redirect_uris.${sent.indexOf(uri)}`));
  return (
    <fieldset ref={box}>
      <legend>{i18n._('Redirect URIs')}</legend>
      <p class="hint">
        {i18n._(
          'The addresses that people may return to with a code, exactly as your application sends them. At most {max}.',
          { max: MAX_REDIRECT_URIS },
        )}
      </p>
      {uris.map((uri, index) => (
        <div class="removable">
          <Field
            label={i18n._('Redirect URI {number}', { number: index + 1 })}
            inputMode="url"
            placeholder={EXAMPLE}
            value={uri}
            onValue={(value) => onUris(uris.with(index, value))}
            problem={problems[index] ?? refused(uri)}
          />
          <button
            type="button"
            aria-label={i18n._('Remove redirect URI {number}', { number: index + 1 })}
            onClick={() => {
              focusNext(':scope > button');
              onUris(uris.toSpliced(index, 1));
            }}
          >
            {i18n._('Remove')}
          </button>
        </div>
      ))}
      <button
        type="button"
        aria-disabled={uris.length >= MAX_REDIRECT_URIS}
        onClick={() => {
          if (uris.length >= MAX_REDIRECT_URIS) return;
          focusNext('.removable:last-of-type input');
          onUris([...uris, '']);
        }}
      >
        {i18n._('Add a redirect URI')}
      </button>
    </fieldset>
  );
}

/** Moves the focus after a field was added or removed: to the new one, or to a remaining one. */
function useFocusAfter(count: number): [RefObject<HTMLFieldSetElement | null>, (selector: string) => void] {
  const box = useRef<HTMLFieldSetElement>(null);
  const next = useRef<string>('');
  useEffect(() => {
    if (next.current) box.current?.querySelector<HTMLElement>(next.current)?.focus();
    next.current = '';
  }, [count]);
  return [
    box,
    (selector) => {
      next.current = selector;
    },
  ];
}
