import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 50;
const pollMsMax = 2_000;
const answerWithinMs = 2_000;

interface Answer {
	status: number | undefined;
	body: string;
}

/** Resolves when the address answers 200; rejects only when the signal fires. */
export async function waitUntilReady(url: string, signal: AbortSignal): Promise<void> {
	while ((await statusOf(url, signal)) !== 200) await delay(pollMs, undefined, { signal });
}

/**
 * Resolves when the combined health says UP: 200 is also the response of a system that lacks a part. Unlike readiness that
 * page is rate-limited, and what is spent here the first caller lacks, so it polls ever more slowly.
 */
export async function waitUntilUp(healthUrl: string, signal: AbortSignal): Promise<void> {
	let waitMs = pollMs;
	while (!saysUp(await answerOf(healthUrl, signal))) {
		await delay(waitMs, undefined, { signal });
		waitMs = Math.min(2 * waitMs, pollMsMax);
	}
}

/** The status of the answer to a GET; undefined when there was none. */
export async function statusOf(url: string, signal: AbortSignal): Promise<number | undefined> {
	return (await answerOf(url, signal))?.status;
}

function saysUp(answer: Answer | undefined): boolean {
	if (answer?.status !== 200) return false;
	try {
		const { data } = JSON.parse(answer.body) as { data?: { status?: unknown } };
		return data?.status === 'UP';
	} catch {
		return false; // Cut off or not ours; the next answer tells.
	}
}

async function answerOf(url: string, signal: AbortSignal): Promise<Answer | undefined> {
	const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
	const limited = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
	const none = () => resolve(undefined); // Not listening yet, or given up.
	const request = get(url, { signal: limited, agent: false }, (response) => {
		let body = '';
		response.setEncoding('utf8');
		response.on('data', (text: string) => {
			body += text;
		});
		response.on('end', () => resolve({ status: response.statusCode, body }));
		response.on('error', none);
	});
	request.on('error', none);
	const answer = await promise;
	signal.throwIfAborted();
	return answer;
}
