import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Notice } from '../shared/ui/notice.tsx';
import type { Announcement } from './use-announcement.ts';

/** A section of the page, with an announcement of its last change. */
export function Section(props: {
  title: string;
  /** For links to the section. */
  anchor?: string;
  announcement?: Announcement | undefined;
  children: ComponentChildren;
}) {
  const { title, anchor, announcement, children } = props;
  const id = useId();
  return (
    <section class="card" id={anchor} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {announcement && (
        <Notice key={announcement.count} takesFocus>
          {announcement.text}
        </Notice>
      )}
      {children}
    </section>
  );
}
