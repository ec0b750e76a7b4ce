import { emailAddress, instant, whenValid } from '@paddock/service';
import { z } from 'zod';
import { givenPassword, holdsOwnName, newPassword } from '../passwords/password-rules.ts';
import type { IssuedTokens } from '../sessions/sessions.ts';
import { ownFields, userDto, userSchema } from '../users/schemas.ts';

/** @param passwordLengthMin code points */
export function registerBody(passwordLengthMin: number) {
	return z
		.strictObject({ email: emailAddress, password: newPassword(passwordLengthMin), ...ownFields })
		.refine((body) => !holdsOwnName(body.password, body), {
			path: ['password'],
			message: ownNameMessage,
			// Otherwise the check would fold texts that were already rejected for their length.
			when: whenValid('email', 'password', 'firstName', 'lastName'),
		})
		.meta({
			id: 'Registration',
			'x-fresh-example': { email: 'anna.huber.########@example.org' },
			description: 'A new account.',
			example: {
				email: 'anna.huber@example.org',
				password: 'canter over the hedge',
				firstName: 'Anna',
				lastName: 'Huber',
				phoneNumber: '+43 660 1234567',
				locale: 'de-AT',
			},
		});
}

export const registrationSchema = z
	.strictObject({
		email: z.string().describe('The address in lower case, the name for sign-ins.'),
		verificationRequired: z
			.boolean()
			.describe('Whether new accounts have to be verified with the link in the mail; the same for all.'),
	})
	.meta({
		id: 'RegistrationReceipt',
		description: 'The same whether the address has an account.',
		example: { email: 'anna.huber@example.org', verificationRequired: true },
	});

export const ownNameMessage = 'must not contain your name or e-mail address';

/** @param passwordLengthMin code points */
export function passwordBody(passwordLengthMin: number) {
	return z
		.strictObject({ currentPassword: givenPassword, newPassword: newPassword(passwordLengthMin) })
		.meta({
			id: 'PasswordChange',
			description: 'The current password and the one that replaces it.',
			example: { currentPassword: 'canter over the hedge', newPassword: 'three bales and a bucket' },
		});
}

export const loginBody = z.strictObject({ email: emailAddress, password: givenPassword }).meta({
	id: 'Login',
	description: 'Credentials of an account.',
	example: { email: 'anna.huber@example.org', password: 'canter over the hedge' },
});

export const refreshBody = z
	.strictObject({
		refreshToken: z.string('must be text').min(1).max(1_024).describe('From the last sign-in or refresh.'),
	})
	.meta({
		id: 'Refresh',
		description: 'The token to exchange.',
		example: { refreshToken: 'o1Y3pXQp1cXo7mJwq0sG1rJm2y3cQb4yqGJm8n9sYtE' },
	});

export const tokensSchema = z
	.strictObject({
		accessToken: z.string().describe('Send it as `Authorization: Bearer …`.'),
		tokenType: z.literal('Bearer').describe('Scheme of the Authorization header.'),
		expiresIn: z.int().min(0).describe('Seconds until the access token expires.'),
		refreshToken: z.string().describe('For one POST /auth/refresh, which returns the next one.'),
		refreshExpiresIn: z.int().min(0).describe('Seconds until the refresh token expires.'),
		user: userSchema,
	})
	.meta({ id: 'Tokens', description: 'Tokens of one session.' });

export function tokensDto(tokens: IssuedTokens, now: Date): z.output<typeof tokensSchema> {
	return {
		accessToken: tokens.accessToken,
		tokenType: 'Bearer',
		expiresIn: secondsUntil(tokens.accessExpiresAt, now),
		refreshToken: tokens.refreshToken,
		refreshExpiresIn: secondsUntil(tokens.refreshExpiresAt, now),
		user: userDto(tokens.user),
	};
}

/** Rounded up: a token stores its times in whole seconds, so a new one would seem to live one second less. */
export function secondsUntil(instantAt: Date, now: Date): number {
	return Math.max(0, Math.ceil((instantAt.getTime() - now.getTime()) / 1000));
}

export const signInSchema = tokensSchema
	.extend({
		deviceToken: z
			.string()
			.describe(
				'Store it on this device for this account, also after signing out, and send it as `X-Device-Token` with each sign-in: locks caused by others do not affect known devices.',
			),
	})
	.meta({
		id: 'SignIn',
		extends: 'Tokens',
		description: 'Tokens of a new session, and the token of the device.',
	});

export const endedSessionSchema = z
	.strictObject({
		sessionId: z.uuid().describe('Id of the session, as in the `sid` claim of its tokens.'),
		endedAt: instant.describe('When the session ended, in UTC.'),
	})
	.meta({
		id: 'EndedSession',
		description: 'A session that accepts no tokens any more.',
		example: { sessionId: '6f1c9c0e-2b1d-4c58-9c0a-52a3a5a0c7d1', endedAt: '2026-05-01T10:00:00.000Z' },
	});
