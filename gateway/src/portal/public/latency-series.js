const rank = ['UP', 'UNKNOWN', 'DEGRADED', 'DOWN'];

/**
 * The latencies of each service over the last minutes: what the gateway has kept, and what comes while the page is
 * open, in slots of the same length. A slot keeps its slowest latency and its worst state, so that nothing short is
 * lost.
 */
export function createLatencySeries() {
	let slotMs = 10_000;
	let slotsMax = 90;
	const series = new Map();
	return {
		/** `kept` is the data of the samples page. */
		load: (kept) => {
			slotMs = kept.slotMs;
			slotsMax = kept.slotsMax;
			for (const [context, slots] of Object.entries(kept.contexts)) {
				series.set(
					context,
					slots.map((slot) => ({ ...slot, at: Date.parse(slot.at) })),
				);
			}
		},
		add: (context, { status, latencyMs }, at) => {
			const slots = series.get(context) ?? [];
			series.set(context, slots);
			const start = Math.floor(at / slotMs) * slotMs;
			const last = slots.at(-1);
			if (last?.at === start) {
				if (rank.indexOf(status) > rank.indexOf(last.status)) last.status = status;
				last.latencyMs = Math.max(last.latencyMs ?? 0, latencyMs ?? 0) || null;
				return;
			}
			slots.push({ at: start, status, latencyMs: latencyMs ?? null });
			while (slots.length > slotsMax) slots.shift();
		},
		of: (context) => series.get(context) ?? [],
		/** Milliseconds that the series cover. */
		windowMs: () => slotMs * slotsMax,
		slotMs: () => slotMs,
	};
}
