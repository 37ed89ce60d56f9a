import type { CurrentUser } from '@gatehouse/proto/auth';
import { useEffect } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { currentUser } from '../shared/api/current-user.ts';
import { useAction } from '../shared/api/use-action.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { language, setLanguage } from '../shared/i18n/language.ts';
import { findLanguage, LANGUAGES } from '../shared/i18n/languages.ts';
import { Select } from '../shared/ui/select.tsx';
import { Section } from './section.tsx';
import { useAnnouncement } from './use-announcement.ts';

/** Whether the page was mounted anew because its language has changed here. */
let hasChanged = false;

/** The language of pages and mails. It applies at once. */
export function LanguageSection({ user }: { user: CurrentUser }) {
  const [announcement, announce] = useAnnouncement();
  const change = useAction(async (tag: string) => {
    currentUser.value = await call<CurrentUser>('PATCH', '/users/@me', { locale: tag });
    if (tag === language.peek()) return announce(i18n._('Your language is saved.'));
    hasChanged = true;
    await setLanguage(tag);
  });
  useEffect(() => {
    if (hasChanged) announce(i18n._('Your language is saved.'));
    hasChanged = false;
  }, []);
  const problem = change.otherProblem();
  return (
    <Section title={i18n._('Language')} announcement={announcement}>
      <Select
        label={i18n._('Language of pages and mails')}
        value={findLanguage([user.locale ?? '']) ?? language.value}
        onValue={(tag) => void change.run(tag)}
        options={LANGUAGES.map(({ tag, name }) => ({ value: tag, text: name }))}
        problem={problem === undefined ? undefined : { text: problem }}
      />
    </Section>
  );
}
