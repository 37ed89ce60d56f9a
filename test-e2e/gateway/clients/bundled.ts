import { build } from 'vite';

/** A module and its imports as one script, whose exports are members of a global object. */
export async function bundled(entry: string, name: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, target: 'es2024', lib: { entry, name, formats: ['iife'] } },
  });
  const [output] = [built].flat();
  if (output === undefined || !('output' in output)) throw new Error(`${entry} was not built`);
  return output.output.map((part) => (part.type === 'chunk' ? part.code : '')).join('');
}
