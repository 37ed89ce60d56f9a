import type { Bot } from '@gatehouse/proto/oauth2';
import { useId, useRef } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { ActionButton, Problem } from '../../shared/ui.tsx';

const TYPES = 'image/png,image/jpeg,image/gif,image/webp';

/** Shows the bot's picture. A new one is saved at once. */
export function BotPicture({ bot, onBot }: { bot: Bot; onBot: (bot: Bot) => void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const save = async (avatar: string | null) => {
    onBot(await call<Bot>('PATCH', `/oauth2/applications/${bot.id}/bot`, { avatar }));
    input.current?.focus();
  };
  const change = useAction(async (file: File) => save(await dataUrlOf(file)));
  const remove = useAction(() => save(null));
  const problem = change.problemOf('avatar') ?? change.otherProblem();
  return (
    <div class="picture">
      {bot.avatar ? (
        <img src={`/media/avatars/${bot.id}/${bot.avatar}`} alt="The bot" width="80" height="80" />
      ) : (
        <span class="no-picture">No picture</span>
      )}
      <div class="field">
        <label for={id}>Picture</label>
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
          PNG, JPEG, GIF or WebP, at most 10 MiB. It is saved at once.
        </p>
        <Problem text={problem} />
        {bot.avatar && (
          <ActionButton action={remove} kind="plain">
            Remove the picture
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
