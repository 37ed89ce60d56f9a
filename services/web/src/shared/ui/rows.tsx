import type { ComponentChildren } from 'preact';

/** A list of things, a Row each. */
export function Rows({ children }: { children: ComponentChildren }) {
  return <ul class="rows">{children}</ul>;
}

/** What a thing is called, its details below, and its actions at the end. */
export function Row(props: {
  title: ComponentChildren;
  avatar?: ComponentChildren;
  details?: ComponentChildren;
  actions?: ComponentChildren;
}) {
  const { title, avatar, details, actions } = props;
  return (
    <li>
      <div class="row-text with-avatar">
        {avatar}
        <div class="row-text">
          {title}
          {details && <div class="quiet">{details}</div>}
        </div>
      </div>
      {actions && <div class="actions">{actions}</div>}
    </li>
  );
}
