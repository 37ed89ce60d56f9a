import { describe } from 'vitest';
import { browserClient } from './gateway/browser-client.ts';
import { discordClient } from './gateway/discord-client.ts';
import { discordJsClient } from './gateway/discord-js-client.ts';
import { erisClient } from './gateway/eris-client.ts';
import { useAnyStack } from './support/stack.ts';
import { chromiumIsMissing } from './web/use-browser.ts';

const stack = useAnyStack();

discordClient(stack);
discordJsClient(stack);
erisClient(stack);
describe.skipIf(chromiumIsMissing)('Chromium', () => browserClient(stack));
