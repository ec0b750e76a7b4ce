import { availableParallelism } from 'node:os';
import { z } from 'zod';

const workersMax = 64;
const message = `must be auto or a whole number from 1 to ${workersMax}`;

/** The number of worker processes. */
export const workersSetting = z
	.string()
	.regex(/^(?:auto|\d{1,2})$/, message)
	.transform((text) => (text === 'auto' ? Math.min(availableParallelism(), workersMax) : Number(text)))
	.refine((workers) => workers >= 1 && workers <= workersMax, message)
	.default(1)
	.describe(
		'Number of worker processes that serve PORT, each on one core; `auto` = one per available core. 1 = a single process without workers.',
	);
