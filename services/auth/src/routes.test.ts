import { expect, test } from '@jest/globals';
import { openApiDocument } from '@paddock/service/openapi';
import { authRoutes } from './routes.ts';

test('the routes make an OpenAPI document whose examples are valid for their schemas', () => {
	const document = openApiDocument({
		title: 'auth',
		version: '1',
		description: '',
		tags: [],
		routes: authRoutes,
	});
	expect(Object.keys(document.paths ?? {}).sort()).toEqual([
		'/.well-known/jwks.json',
		'/auth/change-password',
		'/auth/keys/rotate',
		'/auth/login',
		'/auth/logout',
		'/auth/profile',
		'/auth/refresh',
		'/auth/register',
		'/auth/users',
		'/auth/users/{id}',
		'/auth/users/{id}/release',
		'/auth/users/{id}/roles',
		'/auth/users/{id}/status',
		'/internal/references',
		'/internal/revocations',
		'/internal/service-tokens',
		'/internal/session',
	]);
	for (const route of authRoutes) {
		for (const schema of [route.body, route.output]) {
			const example = Reflect.get(schema?.meta() ?? {}, 'example');
			if (example !== undefined) expect(() => schema?.parse(example)).not.toThrow();
		}
	}
});
