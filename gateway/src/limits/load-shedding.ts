import { monitorEventLoopDelay } from 'node:perf_hooks';
import { apiError } from '@paddock/contract';
import type { GatewayConfig } from '../config/config.ts';
import type { Step } from '../exchange/pipeline.ts';

const resolutionMs = 20;
const sampleMs = 500;

export interface EventLoopDelay {
	/** Mean over half a second in milliseconds; the lower one of the last two, so that a single stall does not count. */
	currentMs(): number;
	close(): void;
}

export function watchEventLoopDelay(): EventLoopDelay {
	const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
	histogram.enable();
	let sampleBeforeMs = 0;
	let lastMs = 0;
	const timer = setInterval(() => {
		// NaN when the loop was blocked for the whole sample; the next one shows it.
		const meanMs = histogram.mean / 1e6;
		sampleBeforeMs = lastMs;
		lastMs = Number.isFinite(meanMs) ? Math.max(0, meanMs - resolutionMs) : lastMs;
		histogram.reset();
	}, sampleMs);
	timer.unref();
	return {
		currentMs: () => Math.min(sampleBeforeMs, lastMs),
		close: () => {
			clearInterval(timer);
			histogram.disable();
		},
	};
}

interface LoadSheddingOptions {
	readonly config: GatewayConfig;
	readonly delay: EventLoopDelay;
	/** Liveness and readiness respond under overload too: their callers would restart the process otherwise. */
	readonly exempt: ReadonlySet<string>;
	readonly onInFlight: (inFlight: number) => void;
}

/** Responds 503 at once above the limit, because each further request would slow down all of them. */
export function loadShedding({ config, delay, exempt, onInFlight }: LoadSheddingOptions): Step {
	let inFlight = 0;
	return function loadShedding(exchange, _req, res): undefined {
		if (exempt.has(exchange.path)) return;
		if (inFlight >= config.IN_FLIGHT_MAX || delay.currentMs() > config.EVENT_LOOP_DELAY_MAX_MS) {
			exchange.failure = 'overloaded';
			throw apiError('OVERLOADED', { retryAfterMs: 1_000 });
		}
		inFlight += 1;
		onInFlight(inFlight);
		res.on('close', () => {
			inFlight -= 1;
			onInFlight(inFlight);
		});
	};
}
