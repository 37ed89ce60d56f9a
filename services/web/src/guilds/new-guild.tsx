import type { Guild } from '@gatehouse/proto/chat';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { useAction } from '../shared/api/use-action.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Dialog } from '../shared/ui/dialog.tsx';
import { Field } from '../shared/ui/field.tsx';
import { Form } from '../shared/ui/form.tsx';

/** Asks for the name of a new guild, and opens the guild. */
export function NewGuild({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const action = useAction(async () => {
    const { id } = await call<Guild>('POST', '/guilds', { name });
    onClose(); // A second press before the new page is there would make a second guild.
    location.assign(`/guilds/${id}`);
  });
  return (
    <Dialog title={i18n._('Create a guild')} onClose={onClose}>
      <Form action={action} submit={i18n._('Create')} onCancel={onClose}>
        <Field
          label={i18n._('Name')}
          value={name}
          onValue={setName}
          hint={`${i18n._('A guild is a community with channels.')} ${i18n._('It begins with a text channel named general.')}`}
          problem={action.problemOf('name')}
        />
      </Form>
    </Dialog>
  );
}
