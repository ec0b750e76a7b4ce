import type { Watch } from './registry.ts';
import type { ServiceWatch } from './service-watch.ts';

/** Starts a service's query with its first observer and stops it with its last. */
export function openSharedWatches(start: (service: string) => ServiceWatch) {
	const running = new Map<string, { watch: ServiceWatch; observers: number }>();
	const stopping = new Set<Promise<void>>();

	function release(service: string): void {
		const shared = running.get(service);
		if (shared === undefined) return;
		shared.observers -= 1;
		if (shared.observers > 0) return;
		running.delete(service);
		const stopped = shared.watch.stop().finally(() => stopping.delete(stopped));
		stopping.add(stopped);
	}

	return {
		observe: (service: string) => {
			const shared = running.get(service) ?? { watch: start(service), observers: 0 };
			running.set(service, shared);
			shared.observers += 1;
			return observerOf(shared.watch, () => release(service));
		},
		/** Stops every query and resolves when the last one has ended. */
		stop: async () => {
			const all = [...running.values()].map(({ watch }) => watch.stop());
			running.clear();
			await Promise.all([...all, ...stopping]);
		},
	};
}

function observerOf(watch: ServiceWatch, release: () => void): Watch {
	const unsubscribers = new Set<() => void>();
	let stopped = false;
	return {
		current: watch.current,
		responded: watch.responded,
		onChange: (listener) => {
			if (stopped) return () => undefined;
			// Wrapped so that two observers can subscribe the same function.
			const unsubscribe = watch.onChange((snapshot) => listener(snapshot));
			unsubscribers.add(unsubscribe);
			return () => {
				unsubscribers.delete(unsubscribe);
				unsubscribe();
			};
		},
		stop: () => {
			if (stopped) return;
			stopped = true;
			for (const unsubscribe of unsubscribers) unsubscribe();
			release();
		},
	};
}
