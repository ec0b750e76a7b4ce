import { withDeadline } from '@paddock/resilience';
import type { Metrics } from '@paddock/telemetry';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { Gauge } from 'prom-client';

/** A kind of numbers of a fixed length, which end one day. */
export interface NumberSpace {
	/** How many there are. */
	readonly size: number;
	/** How many are assigned; of numbers that each club has of its own, those of the club with the most. */
	readonly used: RawBuilder<number>;
}

/** Counting takes up to a second in a large registry, and the numbers of years end in months. */
const countedForMs = 600_000;
// A scrape must not wait for a database that hangs.
const timeoutMs = 2_000;

/** Gauges of the numbers that are assigned, counted at a scrape and kept for ten minutes. */
export function observeNumberSpaces<Schema>(
	{ registry }: Metrics,
	db: Kysely<Schema>,
	{ spaces, now }: { readonly spaces: Readonly<Record<string, NumberSpace>>; readonly now: () => Date },
): void {
	let countedAtMs = Number.NEGATIVE_INFINITY;
	const registers = [registry];
	const used = new Gauge({
		name: 'service_number_space_used',
		help: 'Numbers that are assigned, by kind; of numbers that each club assigns, those of the club with the most.',
		labelNames: ['space'] as const,
		registers,
		async collect() {
			const nowMs = now().getTime();
			if (Math.abs(nowMs - countedAtMs) < countedForMs) return;
			countedAtMs = nowMs;
			for (const [space, { used: counted }] of Object.entries(spaces)) {
				const query = () => sql<{ used: number }>`select ${counted} as used`.execute(db);
				// Readiness reports an outage; the last values stay.
				const found = await withDeadline(timeoutMs, query).catch(() => undefined);
				const row = found?.rows[0];
				if (row === undefined) countedAtMs = Number.NEGATIVE_INFINITY;
				else used.set({ space }, row.used);
			}
		},
	});
	new Gauge({
		name: 'service_number_space_size',
		help: 'Numbers that exist, by kind.',
		labelNames: ['space'] as const,
		registers,
		collect() {
			for (const [space, { size }] of Object.entries(spaces)) this.set({ space }, size);
		},
	});
}
