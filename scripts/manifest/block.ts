/**
 * Replaces a block of a file. Two comments of YAML or Markdown delimit it: `# begin NAME: …` and `# end NAME`. Its
 * lines get their indentation.
 * @throws Error if the file has no such block
 */
export function withBlock(file: string, name: string, text: string): string {
  const block = new RegExp(
    `^( *)((?:#|<!--) begin ${name}: [^\\n]*\\n)(?:[^\\n]*\\n)*?\\1((?:#|<!--) end ${name}\\b)`,
    'm',
  );
  if (!block.test(file)) throw new Error(`there are no comments 'begin ${name}: …' and 'end ${name}'`);
  return file.replace(block, (_, indent: string, begin: string, end: string) => {
    const lines = text.replace(/^(?=[^\n])/gm, indent);
    return indent + begin + lines + indent + end;
  });
}
