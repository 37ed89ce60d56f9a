import { vi } from 'vitest';
import { useStack } from '../support/stack.ts';
import { outages } from './outages.ts';
import { startAndStop } from './start-and-stop.ts';

vi.setConfig({ testTimeout: 90_000 });

outages(useStack());
startAndStop();
