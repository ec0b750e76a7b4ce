import type { components } from './contract.generated.ts';
import { NetworkError } from './errors.ts';
import { waitBeforeRetry } from './retry.ts';
import type { Runtime } from './runtime.ts';

export type HealthEvent = components['schemas']['HealthEvent'];

// The gateway sends an event or a comment every second. A connection this silent is lost, even if nothing closed it.
const silenceMsMax = 15_000;

/**
 * Health of the system, now and then every second. Connects again whenever the stream ends. Every event is the complete
 * state, so there is nothing to resume and the gateway sends no event ids.
 * @throws PaddockError if the gateway refuses the stream permanently, and the reason of `signal` once it is aborted
 */
export async function* healthEvents(
	connect: (signal: AbortSignal) => Promise<Response>,
	signal: AbortSignal,
	runtime: Runtime,
): AsyncGenerator<HealthEvent, never, void> {
	for (let failures = 1; ; failures += 1) {
		const connection = new AbortController();
		let error: unknown = new NetworkError('The health stream ended.');
		try {
			const watch = { connection, runtime };
			const { body } = await watched(connect(AbortSignal.any([signal, connection.signal])), watch);
			for await (const { name, data } of serverSentEvents(body, watch)) {
				failures = 0;
				// `bye`: this instance of the gateway shuts down, and the stream ends.
				if (name === 'health') yield JSON.parse(data) as HealthEvent;
			}
		} catch (failure) {
			signal.throwIfAborted();
			error = failure;
		} finally {
			// Also if the caller leaves its loop.
			connection.abort();
		}
		const wait = waitBeforeRetry(error, failures + 1, runtime);
		if (wait === undefined) throw error;
		await runtime.pause(wait, signal);
	}
}

interface Watch {
	/** Aborted when it is silent. */
	readonly connection: AbortController;
	readonly runtime: Runtime;
}

/** The result of `step`; aborts the connection if the step takes too long. */
function watched<T>(step: Promise<T>, { connection, runtime }: Watch): Promise<T> {
	const ended = new AbortController();
	const silence = runtime
		.pause(silenceMsMax, ended.signal)
		.then(() => connection.abort(new NetworkError('The health stream is silent.')));
	// Rejects when the step ends in time.
	silence.catch(() => undefined);
	return step.finally(() => ended.abort());
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation, without ids. */
async function* serverSentEvents(
	body: ReadableStream<Uint8Array> | null,
	watch: Watch,
): AsyncGenerator<{ name: string; data: string }, void, void> {
	let event = { name: 'message', data: '' };
	for await (const line of lines(body, watch)) {
		if (line === '') {
			if (event.data !== '') yield event;
			event = { name: 'message', data: '' };
		} else if (line.startsWith('event:')) event.name = line.slice(6).trim();
		else if (line.startsWith('data:')) event.data += line.slice(5).trim();
	}
}

/** @throws NetworkError if the stream breaks or is silent */
async function* lines(
	body: ReadableStream<Uint8Array> | null,
	watch: Watch,
): AsyncGenerator<string, void, void> {
	if (body === null) return;
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let rest = '';
	try {
		for (;;) {
			const chunk = await watched(reader.read(), watch);
			if (chunk.done) return;
			const found = (rest + decoder.decode(chunk.value, { stream: true })).split(/\r?\n/);
			rest = found.pop() ?? '';
			yield* found;
		}
	} catch (cause) {
		throw new NetworkError('The health stream broke off.', { cause });
	}
}
