import { ApiError } from './api-error.ts';

/** An error response that names, for operators, the service that does not answer. Its message is shown as it is. */
export class ServiceAway extends ApiError {}
