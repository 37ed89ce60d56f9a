import { useState } from 'preact/hooks';
import { Ago } from '../../shared/ago.tsx';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { usePolled } from '../../shared/api/use-polled.ts';
import { Confirm } from '../../shared/confirm.tsx';
import { Page } from '../../shared/page.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Name } from '../../shared/ui/name.tsx';
import { Row, Rows } from '../../shared/ui/rows.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { showToast } from '../../shared/ui/toast.tsx';
import { WhenLoaded } from '../../shared/when-loaded.tsx';
import { deleteMails, type ListedMail, loadMails, type MailList as Mails } from './mailbox.ts';

/** The newest mails, with a search by address and a button that deletes all. New mails appear by themselves. */
export function MailList() {
  const loaded = useLoaded(loadMails, []);
  usePolled(loaded.reload);
  return (
    <Page title="Mailbox">
      <p>In development the suite sends no mail. It keeps each one here, for whoever uses this machine.</p>
      <WhenLoaded loaded={loaded} skeleton={<Skeleton isRows lines={4} />}>
        {(list) => (list.mails.length === 0 ? <NoMail /> : <Found list={list} reload={loaded.reload} />)}
      </WhenLoaded>
    </Page>
  );
}

function NoMail() {
  const action = (
    <a class="button primary" href="/account">
      Register an account
    </a>
  );
  return (
    <EmptyState icon="mail" action={action}>
      No mail yet. Register an account, and the mail that verifies its address is here a moment later. So are
      mails about forgotten passwords, new places and finished data exports.
    </EmptyState>
  );
}

function Found({ list, reload }: { list: Mails; reload: () => Promise<void> }) {
  const [address, setAddress] = useState('');
  const [isAsking, setAsking] = useState(false);
  const { mails, total } = list;
  const wanted = address.trim().toLowerCase();
  const found = mails.filter(({ to }) => to.toLowerCase().includes(wanted));
  return (
    <>
      <Field label="Search by address" type="search" value={address} onValue={setAddress} />
      <div class="mail-bar">
        <p role="status" class="quiet">
          {countText(found.length, mails.length, total)}
        </p>
        <Button kind="danger" onClick={() => setAsking(true)}>
          Delete all
        </Button>
      </div>
      {found.length > 0 && (
        <div class="card mails">
          <Rows>
            {found.map((mail) => (
              <MailRow key={mail.id} mail={mail} />
            ))}
          </Rows>
        </div>
      )}
      {isAsking && <DeleteAll list={list} reload={reload} onClose={() => setAsking(false)} />}
    </>
  );
}

function countText(found: number, listed: number, total: number): string {
  const mails = (count: number) => (count === 1 ? '1 mail' : `${count} mails`);
  if (found < listed) return `${mails(found)} of ${listed}, the newest first.`;
  if (listed < total) return `The newest ${mails(listed)} of ${total}.`;
  return listed === 1 ? '1 mail.' : `${mails(listed)}, the newest first.`;
}

function MailRow({ mail: { id, to, subject, sent_at } }: { mail: ListedMail }) {
  return (
    <Row
      title={
        <a href={`#${id}`}>
          <Name text={subject || 'No subject'} isOneLine />
        </a>
      }
      details={
        <>
          To <Name text={to || 'nobody'} isOneLine />
          {sent_at !== null && <Ago time={sent_at} />}
        </>
      }
    />
  );
}

/** Deletes the mails up to the newest that the page showed: not those that came during the question. */
function DeleteAll(props: { list: Mails; reload: () => Promise<void>; onClose: () => void }) {
  const { list, reload, onClose } = props;
  const [asked] = useState(list);
  const count = asked.total === 1 ? 'the mail' : `all ${asked.total} mails`;
  const act = async () => {
    await deleteMails(asked.mails[0]?.id ?? '0');
    await reload();
    onClose();
    showToast('The mails are deleted.');
  };
  return (
    <Confirm title={`Delete ${count}?`} submit="Delete" act={act} onClose={onClose}>
      <p>Their links and codes are lost. This cannot be undone.</p>
    </Confirm>
  );
}
