import { line, type Route } from '@paddock/service';
import { z } from 'zod';
import { type AuthDeps, route } from '../deps.ts';
import { authError } from '../errors.ts';

const serviceTokenBody = z
	.strictObject({ client: line(1, 100), secret: z.string('must be text').min(1).max(256) })
	.meta({
		id: 'ServiceCredentials',
		example: { client: 'horses-service', secret: 'an-example-of-a-secret-with-32-characters' },
	});

const serviceTokenSchema = z
	.strictObject({
		accessToken: z.string().describe('For `/internal/` addresses of other services only.'),
		expiresIn: z.int().min(0).describe('Seconds until it expires.'),
		scopes: z.array(z.string()),
	})
	.meta({ id: 'ServiceToken' });

const refusal = 'The client or its secret is not right.';

const issue = route({
	method: 'post',
	path: '/internal/service-tokens',
	operationId: 'issueServiceToken',
	writers: 'anyone',
	summary: 'A token for a service',
	description: 'The secret is the proof. Only services can reach this address.',
	access: 'public',
	body: serviceTokenBody,
	output: serviceTokenSchema,
	message: 'Service token',
	cacheControl: 'no-store',
	errors: { INVALID_CREDENTIALS: { status: 401, message: refusal } },
	handler: async ({ body, address, log }, { serviceTokens, now }) => {
		const issued = await serviceTokens.issue(body.client, body.secret);
		if (issued === undefined) {
			// A service with a wrong secret can't work, so its operator must notice; the entry also reveals guessing
			// attempts.
			log.error('a service token was refused', { client: body.client, address });
			throw authError('INVALID_CREDENTIALS', { message: refusal });
		}
		const lifeMs = issued.expiresAt.getTime() - now().getTime();
		return {
			accessToken: issued.token,
			expiresIn: Math.max(0, Math.ceil(lifeMs / 1_000)),
			scopes: [...issued.scopes],
		};
	},
});

export const serviceTokenRoutes: readonly Route<AuthDeps>[] = [issue];
