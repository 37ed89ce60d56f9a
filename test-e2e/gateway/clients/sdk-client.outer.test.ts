import { describe } from 'vitest';
import { UNLIMITED, useSharedStack } from '../../support/stack.ts';
import { chromiumIsMissing } from '../../web/use-browser.ts';
import { sdkClient } from './sdk-client.ts';
import { sdkInBrowser } from './sdk-in-browser.ts';

const stack = useSharedStack(UNLIMITED);

sdkClient(stack);
describe.skipIf(chromiumIsMissing)('Chromium', () => sdkInBrowser(stack));
