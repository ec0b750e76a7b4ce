import type { Registry } from 'prom-client';
import type { GatewayConfig } from '../config.ts';
import type { EventLoopDelay } from '../edge/load-shedding.ts';
import { gauge } from './scraped-gauges.ts';

/** The gauges of a process that forwards requests. */
export function loadGauges(registry: Registry, config: GatewayConfig, eventLoopDelay: EventLoopDelay): void {
	gauge(
		registry,
		'requests_in_flight_max',
		'Limit of requests in flight; further ones are refused.',
		[],
		() => [[{}, config.IN_FLIGHT_MAX]],
		'sum',
	);
	gauge(
		registry,
		'event_loop_delay_seconds',
		'Event-loop delay: the lower of the last two means of half a second.',
		[],
		() => [[{}, eventLoopDelay.currentMs() / 1000]],
	);
	gauge(
		registry,
		'event_loop_delay_max_seconds',
		'Limit of the event-loop delay; above it requests are refused.',
		[],
		() => [[{}, config.EVENT_LOOP_DELAY_MAX_MS / 1000]],
	);
}
