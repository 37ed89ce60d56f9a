import { hashView } from '../../shared/hash-view.ts';
import { mailOf } from './route.ts';

/** The mail that the URL names. */
export const currentMail = hashView(mailOf);
