import { describe } from 'vitest';
import { useAnyStack } from '../../support/stack.ts';
import { chromiumIsMissing } from '../../web/use-browser.ts';
import { browserClient } from './browser-client.ts';
import { discordClient } from './discord-client.ts';
import { discordJsClient } from './discord-js-client.ts';
import { erisClient } from './eris-client.ts';

const stack = useAnyStack();

discordClient(stack);
discordJsClient(stack);
erisClient(stack);
describe.skipIf(chromiumIsMissing)('Chromium', () => browserClient(stack));
