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
		'/auth/change-email',
		'/auth/change-password',
		'/auth/confirm-email-change',
		'/auth/forgot-password',
		'/auth/keys/rotate',
		'/auth/login',
		'/auth/login/enrolment',
		'/auth/login/enrolment/confirm',
		'/auth/login/passkey',
		'/auth/login/passkey-options',
		'/auth/login/second-factor',
		'/auth/logout',
		'/auth/member-links',
		'/auth/member-links/requests',
		'/auth/member-links/{id}',
		'/auth/member-links/{id}/confirm',
		'/auth/member-links/{id}/decline',
		'/auth/member-links/{id}/end',
		'/auth/privacy/erasure',
		'/auth/privacy/erasure/cancel',
		'/auth/privacy/exports',
		'/auth/privacy/exports/download',
		'/auth/privacy/exports/latest',
		'/auth/profile',
		'/auth/refresh',
		'/auth/register',
		'/auth/resend-verification',
		'/auth/reset-password',
		'/auth/second-factors',
		'/auth/second-factors/passkeys',
		'/auth/second-factors/passkeys/options',
		'/auth/second-factors/recovery-codes',
		'/auth/second-factors/totp',
		'/auth/second-factors/totp/confirm',
		'/auth/second-factors/{id}',
		'/auth/sessions',
		'/auth/sessions/{id}',
		'/auth/step-up',
		'/auth/step-up/passkey',
		'/auth/step-up/passkey-options',
		'/auth/step-up/password',
		'/auth/users',
		'/auth/users/{id}',
		'/auth/users/{id}/erasure',
		'/auth/users/{id}/history',
		'/auth/users/{id}/release',
		'/auth/users/{id}/reset-second-factors',
		'/auth/users/{id}/roles',
		'/auth/users/{id}/status',
		'/auth/verify-email',
		'/internal/mails',
		'/internal/persons/{id}/erase',
		'/internal/persons/{id}/export',
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
