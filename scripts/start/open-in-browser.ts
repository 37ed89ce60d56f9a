import open from 'open';

/** Opens a page in the user's browser. Without a browser it says so, and the start goes on. */
export async function openInBrowser(url: string, say: (line: string) => void): Promise<void> {
  const sayFailed = () => say(`no browser could be opened: open ${url} yourself`);
  try {
    const browser = await open(url);
    browser.once('error', sayFailed);
    browser.once('exit', (code) => {
      if (code !== 0) sayFailed();
    });
    browser.unref();
  } catch {
    sayFailed();
  }
}
