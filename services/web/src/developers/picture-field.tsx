import { useId, useRef } from 'preact/hooks';
import { useAction } from '../shared/api/use-action.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { ActionButton } from '../shared/ui/action-button.tsx';
import { Problem } from '../shared/ui/problem.tsx';

const TYPES = 'image/png,image/jpeg,image/gif,image/webp';

/** Shows a picture. A new one is saved at once. */
export function PictureField(props: {
  label: string;
  /** Undefined without a picture. */
  src: string | undefined;
  alt: string;
  hint: string;
  /** The member of the API that an error names. */
  member: string;
  /** Saves a `data:` URL; null removes the picture. */
  save: (picture: string | null) => Promise<unknown>;
}) {
  const { label, src, alt, hint, member, save } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const saveAndFocus = async (picture: string | null) => {
    await save(picture);
    input.current?.focus();
  };
  const change = useAction(async (file: File) => saveAndFocus(await dataUrlOf(file)));
  const remove = useAction(() => saveAndFocus(null));
  const problem = change.problemOf(member) ?? change.otherProblem() ?? remove.otherProblem();
  return (
    <div class="picture">
      {src ? (
        <img src={src} alt={alt} width="80" height="80" />
      ) : (
        <span class="no-picture">{i18n._('No picture')}</span>
      )}
      <div class="field">
        <label for={id}>{label}</label>
        <input
          ref={input}
          id={id}
          type="file"
          accept={TYPES}
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) void change.run(file);
          }}
        />
        <p class="hint" id={`${id}-hint`}>
          {hint} {i18n._('PNG, JPEG, GIF or WebP, at most 10 MiB. It is saved at once.')}
        </p>
        <Problem text={problem} />
        {src && (
          <ActionButton action={remove} kind="plain">
            {i18n._('Remove the picture')}
          </ActionButton>
        )}
      </div>
    </div>
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
