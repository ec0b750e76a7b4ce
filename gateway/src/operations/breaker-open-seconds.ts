import { Counter, type Registry } from 'prom-client';
import type { ObservedInstance } from '../upstream/upstream.ts';

interface OpenSecondsDeps {
	readonly registry: Registry;
	readonly now: () => Date;
	readonly upstreams: () => readonly (Pick<ObservedInstance, 'service'> & {
		readonly breaker: Pick<ObservedInstance['breaker'], 'view'>;
	})[];
}

/**
 * Measures how long breakers are open, at each state change and each read.
 * @returns a function to call after a breaker has changed and after an instance has been removed
 */
export function countOpenSeconds(deps: OpenSecondsDeps): () => void {
	let settledAt = deps.now().getTime();
	let openSince: readonly string[] = [];
	const settle = (): void => {
		const at = deps.now().getTime();
		const seconds = Math.max(0, at - settledAt) / 1000;
		for (const service of openSince) counter.inc({ upstream: service }, seconds);
		settledAt = at;
		const open = deps.upstreams().filter(({ breaker }) => breaker.view().state === 'OPEN');
		openSince = open.map(({ service }) => service);
	};
	const counter = new Counter({
		name: 'gateway_circuit_breaker_opened_seconds_total',
		help: 'Seconds that breakers were open, forced ones included, summed over the instances.',
		labelNames: ['upstream'] as const,
		registers: [deps.registry],
		collect: settle,
	});
	return settle;
}
