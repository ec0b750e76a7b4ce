import type { Logger } from '@paddock/telemetry';
import type { HealthView } from './combined-health.ts';

/**
 * Reads the view periodically, so that changes of health are detected without requests. Requests share its rounds.
 * @returns a function that stops it
 */
export function startHealthWatch(deps: { view: HealthView; intervalMs: number; logger: Logger }): () => void {
	let timer: NodeJS.Timeout;
	let ended = false;
	const wait = (): void => {
		if (ended) return;
		timer = setTimeout(look, deps.intervalMs);
		timer.unref();
	};
	const look = (): void => {
		deps.view
			.read()
			.catch((error: unknown) => deps.logger.error('health could not be read', { error }))
			.finally(wait);
	};
	wait();
	return () => {
		ended = true;
		clearTimeout(timer);
	};
}
