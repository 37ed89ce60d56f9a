import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

/** In place of an empty list: what would be in it, what that is good for, and how to begin. */
export function EmptyState(props: {
  icon: IconName;
  children: ComponentChildren;
  action?: ComponentChildren;
}) {
  const { icon, children, action } = props;
  return (
    <div class="empty">
      <Icon name={icon} />
      <p>{children}</p>
      {action}
    </div>
  );
}
