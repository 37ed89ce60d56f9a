import { useEffect, useRef } from 'preact/hooks';
import { mount } from '../../shared/page.tsx';
import { currentMail } from './current-mail.ts';
import './mail.css';
import { MailList } from './mail-list.tsx';
import { MailView } from './mail-view.tsx';

mount(<Mailbox />);

/** The mails that the suite sent in development (docs/web.md#mailbox). */
function Mailbox() {
  const { id, part } = currentMail.value;
  const shown = useRef(id);
  useEffect(() => {
    // The link that had the focus is gone.
    if (shown.current !== id) document.getElementById('main')?.focus();
    shown.current = id;
  }, [id]);
  return id === undefined ? <MailList /> : <MailView key={id} id={id} part={part} />;
}
