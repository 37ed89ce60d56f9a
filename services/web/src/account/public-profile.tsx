import type { CurrentUser } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { currentUser } from '../shared/api/current-user.ts';
import { useAction } from '../shared/api/use-action.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Field } from '../shared/ui/field.tsx';
import { Form } from '../shared/ui/form.tsx';
import { TextArea } from '../shared/ui/text-area.tsx';
import { ProfilePicture } from './profile-picture.tsx';
import { Section } from './section.tsx';
import { useAnnouncement } from './use-announcement.ts';

/** What other people see of the account. */
export function PublicProfile({ user }: { user: CurrentUser }) {
  const [announcement, announce] = useAnnouncement();
  const [global_name, setName] = useState(user.global_name ?? '');
  const [pronouns, setPronouns] = useState(user.pronouns ?? '');
  const [bio, setBio] = useState(user.bio ?? '');
  const save = useAction(async () => {
    // An empty display name is none: the user name shows instead.
    const change = {
      global_name: global_name.trim() || null,
      pronouns: pronouns.trim() || null,
      bio: bio.trim() || null,
    };
    const changed = await call<CurrentUser>('PATCH', '/users/@me', change);
    currentUser.value = changed;
    setName(changed.global_name ?? '');
    setPronouns(changed.pronouns ?? '');
    setBio(changed.bio ?? '');
    announce(i18n._('Your profile is saved.'));
  });
  return (
    <Section title={i18n._('Profile')} announcement={announcement}>
      <p>{i18n._('This is what other people see of you.')}</p>
      <ProfilePicture user={user} announce={announce} />
      <Form action={save} submit={i18n._('Save')}>
        <Field
          label={i18n._('Display name')}
          hint={i18n._('Up to 32 characters. Without one, people see your user name.')}
          autoComplete="nickname"
          value={global_name}
          onValue={setName}
          problem={nameProblem(save.problemOf('global_name'), global_name)}
        />
        <Field
          label={i18n._('Pronouns')}
          hint={i18n._('Up to 40 characters.')}
          value={pronouns}
          onValue={setPronouns}
          problem={save.problemOf('pronouns') && i18n._('Pronouns have at most 40 characters.')}
        />
        <TextArea
          label={i18n._('About you')}
          hint={i18n._('Up to 320 characters.')}
          rows={3}
          value={bio}
          onValue={setBio}
          problem={save.problemOf('bio') && i18n._('This text has at most 320 characters.')}
        />
      </Form>
    </Section>
  );
}

/** The limit of the API counts code points (docs/credentials.md#account-fields). */
const NAME_MAX = 32;

function nameProblem(problem: string | undefined, name: string): string | undefined {
  if (problem === undefined) return undefined;
  return [...name.trim()].length > NAME_MAX
    ? i18n._('A display name has at most 32 characters.')
    : i18n._('A display name has a visible character, and none that turns the text around.');
}
