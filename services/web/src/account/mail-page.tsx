import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Page } from '../shared/page.tsx';
import { Problem } from '../shared/ui.tsx';
import { useMailToken } from './use-mail-token.ts';

/**
 * A page that a mail's link opens. It does nothing by itself: programs that check mail open links too. Another link in
 * the same tab starts it anew.
 */
export function MailPage(props: { title: string; children: (token: string) => ComponentChildren }) {
  const { title, children } = props;
  const token = useMailToken();
  return (
    <Page title={title}>
      <div key={token} class="card">
        {token === undefined ? <NoToken /> : children(token)}
      </div>
    </Page>
  );
}

function NoToken() {
  return (
    <>
      <p>This page is opened by a link in a mail, and this address lacks a part of it.</p>
      <p>Open the link in the mail again, or copy all of it into the address bar.</p>
    </>
  );
}

/** A link that works no more, and what to do about it. */
export function DeadLink({ children }: { children: ComponentChildren }) {
  const said = useRef<HTMLDivElement>(null);
  useEffect(() => said.current?.focus(), []);
  return (
    <div ref={said} tabIndex={-1}>
      <Problem text="This link was used before, or it is too old." />
      {children}
    </div>
  );
}
