import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 50;
const answerWithinMs = 2_000;

/** Resolves when the address answers 200; rejects only when the signal fires. */
export async function waitUntilReady(url: string, signal: AbortSignal): Promise<void> {
	while ((await statusOf(url, signal)) !== 200) await delay(pollMs, undefined, { signal });
}

/** The status of the answer to a GET; undefined when there was none. */
export async function statusOf(url: string, signal: AbortSignal): Promise<number | undefined> {
	const { promise, resolve } = Promise.withResolvers<number | undefined>();
	const limited = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
	const request = get(url, { signal: limited, agent: false }, (response) => {
		response.resume();
		resolve(response.statusCode);
	});
	request.on('error', () => resolve(undefined)); // Not listening yet, or given up: no answer.
	const status = await promise;
	signal.throwIfAborted();
	return status;
}
