const KEY = 'gatehouse.docs.language';

/** Shows examples in the language that the reader chose last. */
export function rememberLanguage(): void {
  const choices = [...document.querySelectorAll<HTMLInputElement>('input[name="language"]')];
  const stored = read();
  for (const choice of choices) {
    if (choice.value === stored) choice.checked = true;
    choice.addEventListener('change', () => write(choice.value));
  }
}

function read(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined; // blocked
  }
}

function write(language: string): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // blocked or full: the next page shows its first language
  }
}
