import { ArchiveWriter, type WriteChunk } from './archive-writer.ts';
import { type ExportFile, type ExportSources, exportFiles, exportPictures } from './export-files.ts';

/** Writes the archive of an account. Reads page by page, and reports before each how many percent of the files are done. */
export async function writeArchive(
  sources: ExportSources,
  account_id: string,
  write: WriteChunk,
  report: (percent: number) => Promise<void>,
): Promise<void> {
  const archive = new ArchiveWriter(write);
  const files = exportFiles(sources);
  await archive.addText('README.txt', texts(readme(files)));
  for (const [index, file] of files.entries()) {
    const percent = Math.floor((index * 100) / (files.length + 1));
    await archive.addText(
      file.path,
      jsonList(file, account_id, () => report(percent)),
    );
  }
  for await (const { path, bytes } of exportPictures(sources, account_id))
    await archive.addBytes(path, bytes);
  await archive.close();
}

/** A JSON list, page by page. */
async function* jsonList(
  { readPage }: ExportFile,
  account_id: string,
  onPage: () => Promise<void>,
): AsyncGenerator<string> {
  yield '[\n';
  let after: string | undefined;
  let separator = '';
  do {
    await onPage();
    const { rows, next } = await readPage(account_id, after);
    if (rows !== '') yield separator + rows;
    separator = ',\n';
    after = next ?? undefined;
  } while (after !== undefined);
  yield '\n]\n';
}

async function* texts(text: string): AsyncGenerator<string> {
  yield text;
}

function readme(files: readonly ExportFile[]): string {
  const width = Math.max(...files.map(({ path }) => path.length));
  return [
    'This archive has what is stored about your account.',
    '',
    ...files.map(({ path, about }) => `${path.padEnd(width)}  ${about}`),
    `${'pictures/'.padEnd(width)}  your pictures, also those for single guilds`,
    '',
    'Each JSON file is a list. Times are in UTC. Passwords, tokens, codes and other secrets are not in the archive.',
    '',
  ].join('\n');
}
