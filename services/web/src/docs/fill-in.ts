/** Replaces a placeholder in every example of the page. Without a value the placeholder is shown again. */
export function fillIn(name: 'base_url' | 'application_id', value: string | undefined): void {
  for (const place of document.querySelectorAll<HTMLElement>(`[data-value="${name}"]`)) {
    place.dataset.placeholder ??= place.textContent ?? '';
    place.textContent = value ?? place.dataset.placeholder;
  }
}
