import type { Logger } from '@paddock/telemetry';
import type { HealthView } from './combined-health.ts';

/**
 * Reads the view again and again although nobody asks: changes of health are found only by looking. It shares its
 * rounds with whoever asks meanwhile. @returns the way to end it
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
