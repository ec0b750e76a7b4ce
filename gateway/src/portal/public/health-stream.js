// The stream sends every second: this much silence means that it is dead, whatever the browser believes.
const silenceMsMax = 6_000;
const waitMsMax = 8_000;
// A response may name a longer wait, as one of the rate limit does; waits longer than this help no reader of the page.
const namedWaitMsMax = 60_000;

/**
 * Listens to the stream of health events for as long as the page lives and connects again whenever it ends. fetch, not
 * EventSource: that can't send a token. `onLink` receives 'connecting', 'live' or 'lost', and the reason.
 */
export function listenToHealth({ url, token, onHealth, onLink }) {
	const leave = new AbortController();
	void keepListening();
	return { close: () => leave.abort() };

	async function keepListening() {
		let failures = 0;
		let namedWaitMs = 0;
		while (!leave.signal.aborted) {
			onLink('connecting');
			try {
				await listenOnce(() => {
					failures = 0;
				});
				onLink('lost', 'the gateway has ended the connection');
			} catch (error) {
				if (leave.signal.aborted) return;
				onLink('lost', error.message);
				namedWaitMs = error.waitMs ?? 0;
			}
			const waitMs = Math.max(Math.min(waitMsMax, 500 * 2 ** failures), namedWaitMs);
			namedWaitMs = 0;
			failures += 1;
			await pause(waitMs);
		}
	}

	async function listenOnce(onFirst) {
		const silence = new AbortController();
		let timer;
		const listen = () => {
			clearTimeout(timer);
			timer = setTimeout(() => silence.abort(new Error('nothing has come for seconds')), silenceMsMax);
		};
		listen();
		try {
			const response = await fetch(url, {
				headers: {
					Accept: 'text/event-stream',
					...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
				},
				cache: 'no-store',
				signal: AbortSignal.any([leave.signal, silence.signal]),
			});
			if (!response.ok) throw await refusalOf(response);
			for await (const event of eventsOf(response.body)) {
				listen();
				if (event.name === 'bye') return;
				if (event.name !== 'health') continue;
				onFirst();
				onLink('live');
				onHealth(JSON.parse(event.data));
			}
		} finally {
			clearTimeout(timer);
		}
	}
}

/** The refusal as an error with its reason and, where the gateway names one, the wait before the next attempt. */
async function refusalOf(response) {
	const body = await response.json().catch(() => undefined);
	const error = new Error(body?.message ?? `the gateway responded ${response.status}`);
	const seconds = Number(response.headers.get('Retry-After') ?? 0);
	return Object.assign(error, { waitMs: Math.min(namedWaitMsMax, seconds * 1_000 || 0) });
}

/** Server-sent events as https://html.spec.whatwg.org/multipage/server-sent-events.html frames them. */
async function* eventsOf(stream) {
	const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
	let rest = '';
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return;
		const blocks = (rest + value).split('\n\n');
		rest = blocks.pop();
		for (const block of blocks) yield parseEvent(block);
	}
}

function parseEvent(block) {
	const event = { name: 'message', data: '' };
	for (const line of block.split('\n')) {
		if (line.startsWith('event: ')) event.name = line.slice(7);
		if (line.startsWith('data: ')) event.data += line.slice(6);
	}
	return event;
}

function pause(ms) {
	return new Promise((resolve) => setTimeout(resolve, ms));
}
