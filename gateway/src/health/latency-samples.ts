import type { HealthReading } from './combined-health.ts';
import type { LatencySample } from './health-history-schemas.ts';
import type { HealthStatus } from './health-schemas.ts';

export type LatencySamples = ReturnType<typeof createLatencySamples>;

const worse: readonly HealthStatus[] = ['UP', 'UNKNOWN', 'DEGRADED', 'DOWN'];

/** The last 15 minutes of every context. A slot keeps its highest latency and worst state, so that short events stay visible. */
export function createLatencySamples(settings = { slotMs: 10_000, slotsMax: 90 }) {
	const { slotMs, slotsMax } = settings;
	const samples = new Map<string, LatencySample[]>();
	const addTo = (context: string, status: HealthStatus, latencyMs: number | null, at: Date): void => {
		const slots = samples.get(context) ?? [];
		samples.set(context, slots);
		// The clock was set back by more than the whole range: no new sample would be shown until it caught up.
		while ((slots.at(-1)?.at ?? at).getTime() - at.getTime() > slotMs * slotsMax) slots.pop();
		const last = slots.at(-1);
		if (last !== undefined && last.at >= at) {
			slots[slots.length - 1] = {
				at: last.at,
				status: worse.indexOf(status) > worse.indexOf(last.status) ? status : last.status,
				latencyMs: last.latencyMs === null ? latencyMs : Math.max(last.latencyMs, latencyMs ?? 0),
			};
			return;
		}
		slots.push({ at, status, latencyMs });
		if (slots.length > slotsMax) slots.shift();
	};
	return {
		slotMs,
		slotsMax,
		add: ({ health, at }: HealthReading): void => {
			const slot = new Date(Math.floor(at.getTime() / slotMs) * slotMs);
			for (const [name, component] of Object.entries(health.components)) {
				if ('instances' in component) addTo(name, component.status, component.latencyMs ?? null, slot);
			}
		},
		/** By context, the oldest first. */
		read: (): Record<string, LatencySample[]> =>
			Object.fromEntries([...samples].map(([context, slots]) => [context, [...slots]])),
	};
}
