import { instant } from '@paddock/service';
import { z } from 'zod';

export const pong = z
	.strictObject({
		reply: z.literal('pong').describe('Always `pong`.'),
		instance: z.string().describe('Host and process id of the responding instance.'),
		uptimeSeconds: z.number().min(0).describe('Seconds since that process started.'),
		at: instant.describe('Clock of the instance, in UTC.'),
	})
	.meta({
		id: 'Pong',
		description: 'Reply of one instance of the ping service.',
		example: {
			reply: 'pong',
			instance: 'stable-1:4711',
			uptimeSeconds: 86.4,
			at: '2026-05-01T10:00:00.000Z',
		},
	});
