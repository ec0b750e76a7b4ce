import { Counter, type Registry } from 'prom-client';
import type { Upstream } from '../upstream/upstream.ts';

export interface OpenTimeDeps {
	readonly registry: Registry;
	readonly now: () => Date;
	/** All that there are at the moment. */
	readonly upstreams: () => readonly Pick<Upstream, 'service' | 'breaker'>[];
}

export interface OpenTime {
	/** To be called after a breaker has changed, and after an instance is gone. */
	settle(): void;
}

/**
 * Counts how long breakers are open. Whenever one changes and whenever somebody reads, each that was open the last
 * time has been so since; a counter that only looked when it is read would miss what opens and closes in between.
 */
export function createOpenTime(deps: OpenTimeDeps): OpenTime {
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
	return { settle };
}
