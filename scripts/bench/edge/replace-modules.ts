/**
 * Loaded before a process of the bench, by `node --import …/replace-modules.ts?NAME`: replaces the modules of that trick
 * by their plain variants. So the code that is measured needs no switches.
 */
import { registerHooks } from 'node:module';
import { REALTIME_TRICKS } from '../realtime/tricks.ts';
import { TRICKS, type Trick } from './tricks.ts';

const ROOT = new URL('../../../', import.meta.url).href;
const PLAIN = new URL('../plain/', import.meta.url).href;

const name = new URL(import.meta.url).search.slice(1);
const tricks: Readonly<Record<string, Trick>> = { ...TRICKS, ...REALTIME_TRICKS };
const trick = tricks[name];
if (trick !== undefined) replace(trick);

function replace({ modules, within = '' }: Trick): void {
  const plain = new Map(Object.entries(modules).map(([module, by]) => [ROOT + module, PLAIN + by]));
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      const by = plain.get(resolved.url);
      const { parentURL = '' } = context;
      if (by === undefined || !parentURL.startsWith(ROOT + within) || parentURL.startsWith(PLAIN))
        return resolved;
      return { ...resolved, url: by };
    },
  });
}
