import { line } from '@paddock/service';
import { z } from 'zod';

export const serviceTokenBody = z
	.strictObject({ client: line(1, 100), secret: z.string('must be text').min(1).max(256) })
	.meta({
		id: 'ServiceCredentials',
		example: { client: 'horses-service', secret: 'an-example-of-a-secret-with-32-characters' },
	});

export const serviceTokenSchema = z
	.strictObject({
		accessToken: z.string().describe('For `/internal/` addresses of other services only.'),
		expiresIn: z.int().min(0).describe('Seconds until it expires.'),
		scopes: z.array(z.string()),
	})
	.meta({ id: 'ServiceToken' });
