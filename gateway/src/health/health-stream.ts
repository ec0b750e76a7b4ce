import { apiError } from '@paddock/contract';
import { markResponseSent } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import type { Response } from 'express';
import type { HealthReading, HealthView } from './combined-health.ts';
import { briefChange, briefHealth } from './health-details.ts';
import type { HealthHistory } from './health-history.ts';

interface HealthStreamDeps {
	readonly view: HealthView;
	readonly history: HealthHistory;
	readonly logger: Logger;
	readonly intervalMs: number;
	readonly listenersMax: number;
	/** The same for the listeners of one client network, so that none can use up all of them. */
	readonly listenersPerClientMax: number;
}

export interface HealthStream {
	/** Streams health to a client. @throws ApiError RATE_LIMITED with too many streams of its network, OVERLOADED in all */
	add(res: Response, listener: NewListener): void;
	listeners(): number;
	/** Ends all streams and refuses new ones. */
	close(): void;
}

interface NewListener {
	/** Counted together; see `clientNetwork`. */
	readonly network: string;
	/** Checked before each event: a token can expire or be revoked while its stream is open. */
	readonly seesDetails: () => Promise<boolean>;
	readonly eventsMax?: number | undefined;
}

interface Listener extends Omit<NewListener, 'eventsMax'> {
	readonly res: Response;
	isBeingChecked: boolean;
	/** Consecutive events that were skipped because the client didn't read. */
	missed: number;
	left: number;
}

type EventFor = (details: boolean) => string;

// A client that reads nothing for this long is treated as disconnected.
const missedMax = 30;
const retryAfterMs = 5_000;
// Sent while there is no event: proxies and clients close silent connections.
const heartbeat = ':\n\n';

/** Health as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), in one loop for all listeners. */
export function openHealthStream(deps: HealthStreamDeps): HealthStream {
	const listeners = new Set<Listener>();
	let looping = false;
	let closed = false;
	const countOf = (network: string) => [...listeners].filter((one) => one.network === network).length;
	// The pause begins at the end of a round; otherwise the next event would reuse the same result.
	const pause = (): void => {
		looping = listeners.size > 0 && !closed;
		if (!looping) return;
		const next = () => void sendEvent(deps, listeners).then(pause);
		setTimeout(next, deps.intervalMs).unref();
	};
	return {
		listeners: () => listeners.size,
		add: (res, { eventsMax = Number.POSITIVE_INFINITY, ...client }) => {
			if (closed || listeners.size >= deps.listenersMax) throw apiError('OVERLOADED', { retryAfterMs });
			if (countOf(client.network) >= deps.listenersPerClientMax)
				throw apiError('RATE_LIMITED', {
					message: 'Too many health streams from this address.',
					retryAfterMs,
				});
			const listener: Listener = {
				...client,
				res,
				isBeingChecked: false,
				missed: 0,
				left: eventsMax,
			};
			listeners.add(listener);
			res.once('close', () => listeners.delete(listener));
			begin(res);
			// A stream ends only when its client disconnects, which is not a truncated response.
			markResponseSent(res);
			const sent = sendEvent(deps, [listener]);
			if (looping) return;
			looping = true;
			void sent.then(pause);
		},
		close: () => {
			closed = true;
			for (const { res } of listeners) res.end('event: bye\ndata: {}\n\n');
		},
	};
}

function begin(res: Response): void {
	res.status(200);
	res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
	res.setHeader('Cache-Control', 'no-store, no-transform');
	// nginx, and proxies that adopted this header, would otherwise buffer events.
	res.setHeader('X-Accel-Buffering', 'no');
	res.flushHeaders();
	res.write('retry: 1000\n\n');
}

/** Sends an event to each listener, serialised once; never rejects. */
async function sendEvent(deps: HealthStreamDeps, listeners: Iterable<Listener>): Promise<void> {
	try {
		const eventFor = eventsOf(await deps.view.read(), deps.history);
		// Not awaited: a slow token verification delays its own listener only.
		for (const listener of listeners) void sendChecked(listener, eventFor, deps.logger);
	} catch (error) {
		sendFailure(listeners, error, deps.logger);
	}
}

/** Sends what the token allows; a heartbeat while it is still being checked, so that events keep their order. */
async function sendChecked(listener: Listener, eventFor: EventFor, logger: Logger): Promise<void> {
	if (listener.isBeingChecked) {
		send(listener, heartbeat);
		return;
	}
	listener.isBeingChecked = true;
	try {
		send(listener, eventFor(await listener.seesDetails()));
		listener.left -= 1;
		if (listener.left <= 0) listener.res.end();
	} catch (error) {
		sendFailure([listener], error, logger);
	} finally {
		listener.isBeingChecked = false;
	}
}

function sendFailure(listeners: Iterable<Listener>, error: unknown, logger: Logger): void {
	logger.error('health could not be streamed', { error });
	for (const listener of listeners) send(listener, heartbeat);
}

function send(listener: Listener, text: string): void {
	const { res } = listener;
	if (res.writableEnded || res.destroyed) return;
	// Unread events are buffered in memory, so no further one is added.
	if (res.writableNeedDrain) {
		listener.missed += 1;
		if (listener.missed > missedMax) res.destroy();
		return;
	}
	listener.missed = 0;
	res.write(text);
}

function eventsOf({ health, at }: HealthReading, history: HealthHistory): EventFor {
	const texts = new Map<boolean, string>();
	return (details) => {
		const known = texts.get(details);
		if (known !== undefined) return known;
		const data = details
			? { health, history: history.list(), at }
			: { health: briefHealth(health), history: history.list().map(briefChange), at };
		const text = `event: health\ndata: ${JSON.stringify(data)}\n\n`;
		texts.set(details, text);
		return text;
	};
}
