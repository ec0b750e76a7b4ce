import { fail } from '@paddock/contract';
import { markResponseSent } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import type { Response } from 'express';
import type { HealthReading, HealthView } from './combined-health.ts';
import { briefChange, briefHealth } from './health-details.ts';
import type { HealthHistory } from './health-history.ts';

export interface HealthStreamDeps {
	readonly view: HealthView;
	readonly history: HealthHistory;
	readonly logger: Logger;
	/** Between two events. */
	readonly intervalMs: number;
	/** More at once are refused. */
	readonly listenersMax: number;
	/** The same for the listeners of one client network, so that none can take all places. */
	readonly listenersPerClientMax: number;
}

export interface HealthStream {
	/**
	 * Sends health to this client for as long as it listens, or so many events.
	 * @throws ApiError RATE_LIMITED if its network has too many streams, OVERLOADED if there are too many in all
	 */
	add(res: Response, listener: NewListener): void;
	listeners(): number;
	/** Says good-bye to everybody; who comes now is refused. */
	close(): void;
}

export interface NewListener {
	/** Counted together; see `clientNetwork`. */
	readonly network: string;
	/** Checked before each event: a token can expire or be revoked while its stream is open. */
	readonly seesDetails: () => Promise<boolean>;
	/** No limit unless given. */
	readonly eventsMax?: number | undefined;
}

interface Listener {
	readonly res: Response;
	readonly network: string;
	readonly seesDetails: NewListener['seesDetails'];
	/** Events in a row that were left out because it didn't read. */
	missed: number;
	/** How many more events it wants. */
	left: number;
}

// A client that reads nothing for so long is gone without having said so.
const missedMax = 30;
const retryAfterMs = 5_000;
// Sent while no event can be: proxies and clients take silence for a dead connection.
const heartbeat = ':\n\n';

/**
 * Health as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). One loop serves all
 * listeners and ends when there is none; its rounds are those of the view, so listeners never multiply probes.
 */
export function createHealthStream(deps: HealthStreamDeps): HealthStream {
	const listeners = new Set<Listener>();
	let looping = false;
	let closed = false;
	const countOf = (network: string) => [...listeners].filter((one) => one.network === network).length;
	// The pause begins when a round has ended, or the next one would find it still shared and say the same again.
	const pause = (): void => {
		looping = listeners.size > 0 && !closed;
		if (!looping) return;
		const next = () => void tell(deps, listeners).then(pause);
		setTimeout(next, deps.intervalMs).unref();
	};
	return {
		listeners: () => listeners.size,
		add: (res, { network, seesDetails, eventsMax = Number.POSITIVE_INFINITY }) => {
			if (closed || listeners.size >= deps.listenersMax) throw fail('OVERLOADED', { retryAfterMs });
			if (countOf(network) >= deps.listenersPerClientMax)
				throw fail('RATE_LIMITED', { message: 'Too many health streams from this address.', retryAfterMs });
			const listener: Listener = { res, network, seesDetails, missed: 0, left: eventsMax };
			listeners.add(listener);
			res.once('close', () => listeners.delete(listener));
			begin(res);
			// It has no end but the listener's leaving, which is no broken answer.
			markResponseSent(res);
			const told = tell(deps, [listener]);
			if (looping) return;
			looping = true;
			void told.then(pause);
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
	// nginx and those who took it over from there would hold events back to fill a buffer.
	res.setHeader('X-Accel-Buffering', 'no');
	res.flushHeaders();
	res.write('retry: 1000\n\n');
}

/** One event for each of them, serialised once for all; never rejects. */
async function tell(deps: HealthStreamDeps, listeners: Iterable<Listener>): Promise<void> {
	try {
		const eventFor = eventsOf(await deps.view.read(), deps.history);
		// Side by side: a token that takes long to verify delays its own listener only.
		await Promise.all(
			[...listeners].map(async (listener) => {
				send(listener, eventFor(await listener.seesDetails()));
				listener.left -= 1;
				if (listener.left <= 0) listener.res.end();
			}),
		);
	} catch (error) {
		deps.logger.error('health could not be streamed', { error });
		for (const listener of listeners) send(listener, heartbeat);
	}
}

function send(listener: Listener, text: string): void {
	const { res } = listener;
	if (res.writableEnded || res.destroyed) return;
	// What it hasn't read yet is kept in memory here, so nothing is added to it.
	if (res.writableNeedDrain) {
		listener.missed += 1;
		if (listener.missed > missedMax) res.destroy();
		return;
	}
	listener.missed = 0;
	res.write(text);
}

function eventsOf({ health, at }: HealthReading, history: HealthHistory): (details: boolean) => string {
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
