/** Makes tables that scroll sideways reachable by keyboard, and only those. */
export function watchWideTables(): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) if (target instanceof HTMLElement) setReachable(target);
  });
  for (const table of document.querySelectorAll<HTMLElement>('.wide')) observer.observe(table);
}

function setReachable(table: HTMLElement): void {
  if (table.scrollWidth > table.clientWidth) {
    table.tabIndex = 0;
    table.role = 'group';
    table.ariaLabel = 'Table';
  } else {
    for (const name of ['tabindex', 'role', 'aria-label']) table.removeAttribute(name);
  }
}
