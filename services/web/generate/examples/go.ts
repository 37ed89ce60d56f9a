import { APPLICATION_ID } from '../placeholders.ts';
import { addressOf, type ExampleRequest } from './example-request.ts';
import { JSON_STYLE, literal } from './literal.ts';

/** The example as a Go program with net/http. */
export function goExample(request: ExampleRequest): string {
  const { credential } = request;
  const imports = new Set(['fmt', 'io', 'net/http']);
  const usesSecret = Object.keys(request.secrets).length > 0;
  if (credential !== undefined || usesSecret) imports.add('os');
  const body = bodyOf(request, imports);
  const address = goAddress(request);
  const lines = [
    `request, err := http.NewRequest(${JSON.stringify(request.method)}, ${address}, ${body.argument})`,
    'if err != nil {',
    '\tpanic(err)',
    '}',
  ];
  if (credential?.kind === 'header')
    lines.push(
      `request.Header.Set("Authorization", "${credential.scheme} "+os.Getenv("${credential.variable}"))`,
    );
  if (credential?.kind === 'client')
    lines.push(`request.SetBasicAuth("${APPLICATION_ID}", os.Getenv("CLIENT_SECRET"))`);
  for (const [name, value] of request.headers)
    lines.push(`request.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`);
  if (body.type !== undefined) lines.push(`request.Header.Set("Content-Type", "${body.type}")`);
  lines.push(
    'response, err := http.DefaultClient.Do(request)',
    'if err != nil {',
    '\tpanic(err)',
    '}',
    'defer response.Body.Close()',
    'text, _ := io.ReadAll(response.Body)',
    'fmt.Println(response.Status, string(text))',
  );
  const main = [...body.before, ...lines].map((line) => `\t${line}`).join('\n');
  const names = [...imports].sort().map((name) => `\t"${name}"`);
  return `package main\n\nimport (\n${names.join('\n')}\n)\n\nfunc main() {\n${main}\n}`;
}

function goAddress(request: ExampleRequest): string {
  const address = JSON.stringify(addressOf(request, (variable) => `\n${variable}\n`));
  return address.replaceAll(/\\n(\w+)\\n/g, '"+os.Getenv("$1")+"').replace(/\+""$/, '');
}

interface Body {
  readonly before: readonly string[];
  readonly argument: string;
  readonly type?: string;
}

function bodyOf({ json, form }: ExampleRequest, imports: Set<string>): Body {
  if (form !== undefined) {
    imports.add('net/url').add('strings');
    const widest = Math.max(...form.map(([name]) => name.length));
    const members = form.map(([name, value]) => {
      if (value.startsWith('$')) imports.add('os');
      return `\t${JSON.stringify(name)}:${' '.repeat(widest - name.length + 1)}{${goValue(value)}},`;
    });
    return {
      before: ['form := url.Values{', ...members, '}'],
      argument: 'strings.NewReader(form.Encode())',
      type: 'application/x-www-form-urlencoded',
    };
  }
  if (json === undefined) return { before: [], argument: 'nil' };
  imports.add('strings');
  const text = literal(json, JSON_STYLE, 2);
  // A raw string cannot contain a backtick.
  const raw = text.includes('`') ? JSON.stringify(text) : `\`${text}\``;
  return {
    before: [`body := strings.NewReader(${raw})`],
    argument: 'body',
    type: 'application/json',
  };
}

function goValue(value: string): string {
  return value.startsWith('$') ? `os.Getenv("${value.slice(1)}")` : JSON.stringify(value);
}
