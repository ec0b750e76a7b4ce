import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { cpuQuota } from './cpu-quota.ts';

const workersMax = 64;
const message = `must be auto or a whole number from 1 to ${workersMax}`;

/** The number of worker processes. */
export const workersSetting = z
	.string()
	.regex(/^(?:auto|\d{1,2})$/, message)
	.transform((text) => (text === 'auto' ? availableCores() : Number(text)))
	.refine((workers) => workers >= 1 && workers <= workersMax, message)
	.default(1)
	.describe(
		'Number of worker processes that serve PORT, each on one core; `auto` = one per available core, within the CPU quota of a container. 1 = a single process without workers.',
	);

function availableCores(): number {
	const quota = Math.floor(cpuQuota() ?? workersMax);
	return Math.max(1, Math.min(availableParallelism(), quota, workersMax));
}
