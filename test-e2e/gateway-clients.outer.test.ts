import { describe } from 'vitest';
import { browserClient } from './gateway/browser-client.ts';
import { discordClient } from './gateway/discord-client.ts';
import { discordJsClient } from './gateway/discord-js-client.ts';
import { erisClient } from './gateway/eris-client.ts';
import { useAnySuite } from './support/suite.ts';
import { chromiumIsMissing } from './web/use-browser.ts';

const suite = useAnySuite();

discordClient(suite);
discordJsClient(suite);
erisClient(suite);
describe.skipIf(chromiumIsMissing)('Chromium', () => browserClient(suite));
