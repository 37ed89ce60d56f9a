/** Lets the browser save a file that the page has made. Its content is in no URL. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser may read the URL after the click.
  setTimeout(() => URL.revokeObjectURL(url));
}
