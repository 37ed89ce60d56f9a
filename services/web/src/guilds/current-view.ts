import { hashView } from '../shared/hash-view.ts';
import { viewOf } from './route.ts';

/** The tab that the URL names, and what it shows. */
export const currentView = hashView(viewOf);
