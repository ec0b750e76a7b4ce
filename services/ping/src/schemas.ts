import { instant } from '@paddock/service';
import { z } from 'zod';

/** The proof that the way from the gateway to a service and back works. */
export const pong = z
	.strictObject({
		reply: z.literal('pong'),
		/** Which instance answered: host and process. */
		instance: z.string(),
		/** Seconds since that process started. */
		uptimeSeconds: z.number().min(0),
		at: instant,
	})
	.meta({
		id: 'Pong',
		example: {
			reply: 'pong',
			instance: 'stable-1:4711',
			uptimeSeconds: 86.4,
			at: '2026-05-01T10:00:00.000Z',
		},
	});
