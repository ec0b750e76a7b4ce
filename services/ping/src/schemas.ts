import { instant } from '@paddock/service';
import { z } from 'zod';

/** Response that proves the path from the gateway to a service and back. */
export const pong = z
	.strictObject({
		reply: z.literal('pong'),
		/** The responding instance: host and process. */
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
