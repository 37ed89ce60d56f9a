import type { CurrentUser } from '@gatehouse/proto/auth';
import { useId, useRef } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { currentUser } from '../shared/api/current-user.ts';
import { useAction } from '../shared/api/use-action.ts';
import { UserFacingError } from '../shared/api/user-facing-error.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { ActionButton } from '../shared/ui/action-button.tsx';
import { Problem } from '../shared/ui/problem.tsx';

const TYPES = 'image/png,image/jpeg,image/gif,image/webp';
const MAX_BYTES = 10 * 1024 * 1024;

/** The picture of the account. A new one is saved at once. */
export function ProfilePicture({ user, announce }: { user: CurrentUser; announce: (text: string) => void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const save = async (avatar: string | null, text: string) => {
    currentUser.value = await call<CurrentUser>('PATCH', '/users/@me', { avatar });
    announce(text);
  };
  const change = useAction(async (file: File) => {
    // The same file can be chosen again after an error.
    if (input.current) input.current.value = '';
    await save(await dataUrlOf(file), i18n._('Your picture is changed.'));
  });
  const remove = useAction(() => save(null, i18n._('Your picture is removed.')));
  const problem = change.problemOf('avatar') ?? change.otherProblem();
  return (
    <div class="picture">
      {user.avatar ? (
        <img
          src={`/media/avatars/${user.id}/${user.avatar}`}
          alt={i18n._('Your picture')}
          width="80"
          height="80"
        />
      ) : (
        <span class="no-picture">{i18n._('No picture')}</span>
      )}
      <div class="field">
        <label for={id}>{i18n._('Picture')}</label>
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
          {i18n._('PNG, JPEG, GIF or WebP, at most 10 MiB. It is saved at once.')}
        </p>
        <Problem text={problem} />
        {user.avatar && (
          <ActionButton action={remove} kind="plain">
            {i18n._('Remove the picture')}
          </ActionButton>
        )}
      </div>
    </div>
  );
}

/** @throws UserFacingError for a file that is too long, or cannot be read */
function dataUrlOf(file: File): Promise<string> {
  if (file.size > MAX_BYTES) throw new UserFacingError(i18n._('This file has more than 10 MiB.'));
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new UserFacingError(i18n._('This file cannot be read.')));
    reader.readAsDataURL(file);
  });
}
