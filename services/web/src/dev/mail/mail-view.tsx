import { ApiError } from '../../shared/api/api-error.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { formatTime } from '../../shared/i18n/format.ts';
import { Page } from '../../shared/page.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { Name } from '../../shared/ui/name.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { WhenLoaded } from '../../shared/when-loaded.tsx';
import { htmlAddress, loadMail, type Mail } from './mailbox.ts';
import { MAIL_PARTS, type MailPart, piecesOf } from './route.ts';

const TAB_TEXTS: Readonly<Record<MailPart, string>> = { html: 'HTML', text: 'Plain text', source: 'Source' };

/** A mail: its HTML, its plain text, or its source. */
export function MailView({ id, part }: { id: string; part: MailPart }) {
  const loaded = useLoaded(() => unlessGone(loadMail(id)), [id]);
  const mail = loaded.value;
  const title = mail ? mail.subject || 'No subject' : 'Mail';
  return (
    <Page title={mail ? `Mail: ${title}` : title} heading={<Name text={title} />} isWide>
      <p>
        <a href="#all">All mails</a>
      </p>
      <WhenLoaded loaded={loaded}>
        {(found) => (found === null ? <Gone /> : <Parts mail={found} part={part} />)}
      </WhenLoaded>
    </Page>
  );
}

/** Null if there is no such mail. */
function unlessGone(mail: Promise<Mail>): Promise<Mail | null> {
  return mail.catch((error) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
}

function Gone() {
  return <EmptyState icon="mail">This mail was deleted, or its file cannot be read.</EmptyState>;
}

function Parts({ mail, part }: { mail: Mail; part: MailPart }) {
  const tabs = MAIL_PARTS.map((one) => ({
    href: `#${mail.id}/${one}`,
    text: TAB_TEXTS[one],
    isCurrent: one === part,
  }));
  return (
    <>
      <dl class="facts">
        <dt>From</dt>
        <dd>
          <bdi>{mail.from || 'Nobody'}</bdi>
        </dd>
        <dt>To</dt>
        <dd>
          <bdi>{mail.to || 'Nobody'}</bdi>
        </dd>
        {mail.sent_at !== null && (
          <>
            <dt>Sent</dt>
            <dd>{formatTime(new Date(mail.sent_at))}</dd>
          </>
        )}
      </dl>
      <Tabs label="Parts of the mail" tabs={tabs} />
      {mail.is_cut && <p class="quiet">The file is longer than 1 MiB. This is its beginning.</p>}
      <Part mail={mail} part={part} />
    </>
  );
}

function Part({ mail, part }: { mail: Mail; part: MailPart }) {
  if (part === 'source') return <pre>{mail.source}</pre>;
  if (part === 'text') {
    return mail.text === null ? (
      <p class="quiet">This mail has no plain text.</p>
    ) : (
      <PlainText text={mail.text} />
    );
  }
  if (!mail.has_html) return <p class="quiet">This mail has no HTML.</p>;
  return (
    <iframe
      class="mail"
      title="The mail"
      src={htmlAddress(mail.id)}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
    />
  );
}

function PlainText({ text }: { text: string }) {
  return (
    <pre dir="auto">
      {piecesOf(text).map((piece, index) =>
        piece.isLink ? (
          <a key={index} href={piece.text} target="_blank" rel="noreferrer">
            {piece.text}
          </a>
        ) : (
          piece.text
        ),
      )}
    </pre>
  );
}
