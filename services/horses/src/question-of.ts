import type { Call, Question } from './deps.ts';

/** What a request passes on to the services that are asked for its sake. */
export function questionOf({ requestId, signal, traceparent }: Call): Question {
	return { requestId, signal, traceparent };
}
