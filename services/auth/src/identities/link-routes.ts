import { apiError } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import type { Route } from '@paddock/service';
import { readAccountToken, useAccountToken } from '../account-tokens/account-tokens.ts';
import { isInvited } from '../account-tokens/store.ts';
import { type AuthDeps, route } from '../deps.ts';
import { authError, errorsNamed } from '../errors.ts';
import { enqueueAccountMail, minuteKey } from '../mails/account-mail.ts';
import { revokeOutdated } from '../revocations/store.ts';
import { requireSession } from '../sessions/require-session.ts';
import { continueSignIn, sourceOf } from '../sign-in/continue-sign-in.ts';
import { provePassword } from '../sign-in/prove-password.ts';
import { signInSchema } from '../sign-in/schemas.ts';
import { getUser, lockUser, verifyUser } from '../users/store.ts';
import { mailNotice, tokenBody } from '../verification/routes.ts';
import { browserOf } from './browser-cookie.ts';
import { linkIdentityMail } from './identity-mails.ts';
import { addIdentity } from './link-identity.ts';
import { identitiesDto, identitiesSchema, linkBody, linkedSchema, linkMailBody } from './schemas.ts';
import { digest, readStep, takeStep } from './steps.ts';
import { deleteIdentity, type LinkedIdentity, listIdentities } from './store.ts';

export const shared = { access: 'public', cacheControl: 'no-store' } as const;
export const write = { ...shared, method: 'post', writers: 'anyone' } as const;
export const deviceHeader = {
	'X-Device-Token':
		'The `deviceToken` of an earlier sign-in to this account on this device, as with the password.',
};
export const signInErrors = {
	...errorsNamed(
		'OIDC_NOT_CONFIGURED',
		'OIDC_CODE_INVALID',
		'ACCOUNT_LOCKED',
		'SECOND_FACTOR_REQUIRED',
		'SECOND_FACTOR_ENROLMENT_REQUIRED',
	),
	FORBIDDEN: { status: 403, message: 'The account is suspended.' },
};

const link = route({
	...write,
	path: '/auth/oidc/link',
	operationId: 'linkOidcIdentity',
	summary: 'Confirm with its password that the account with the address is the caller’s, and sign in',
	description:
		'After `OIDC_LINK_REQUIRED`. Of an account with a second factor, the identity is linked by the second step. Wrong passwords delay and lock like those of a sign-in.',
	headers: deviceHeader,
	body: linkBody,
	output: signInSchema,
	message: 'Signed in',
	errors: { ...signInErrors, ...errorsNamed('INVALID_CREDENTIALS', 'IDENTITY_LINKED') },
	handler: async (request, deps) => {
		const { publicUrl } = providerOf(deps);
		const { body, address, headers, signal, log } = request;
		const browser = browserOf(headers, publicUrl);
		const claim = { kind: 'LINK', token: body.linkToken, browser } as const;
		const { userId } = await readStep(deps, claim);
		const { email } = await getUser(deps.db, userId);
		const source = await sourceOf(deps, request, { email });
		const attempt = { email, password: body.password, source, address, signal, log };
		const user = await provePassword(deps, attempt);
		if (user === undefined || user.id !== userId) throw authError('INVALID_CREDENTIALS');
		const { identity } = await takeStep(deps, claim);
		return continueSignIn(deps, request, { user, source, methods: ['pwd'], identity: linkedOf(identity) });
	},
});

const linkMail = route({
	...write,
	path: '/auth/oidc/link/mail',
	operationId: 'requestOidcLinkMail',
	summary: 'Confirm by mail that the account with the address is the caller’s',
	description:
		'After `OIDC_LINK_REQUIRED`. The link in the mail is for one use within 30 minutes, in the browser in which the sign-in began; at most one mail a minute is sent.',
	body: linkMailBody,
	output: mailNotice,
	message: 'A mail is sent',
	errors: errorsNamed('OIDC_NOT_CONFIGURED', 'OIDC_CODE_INVALID'),
	handler: async ({ body, headers }, deps) => {
		const { publicUrl } = providerOf(deps);
		const { db, jobs, now } = deps;
		const browser = browserOf(headers, publicUrl);
		const { userId, identity } = await readStep(deps, { kind: 'LINK', token: body.linkToken, browser });
		const { email } = await getUser(db, userId);
		const bound = { ...linkedOf(identity), userId, browser: digest(browser ?? '').toString('base64url') };
		await inTransaction(db, (transaction) =>
			enqueueAccountMail({ jobs, transaction }, linkIdentityMail, bound, minuteKey(email, now())),
		);
		return { email };
	},
});

const confirmLink = route({
	...write,
	path: '/auth/oidc/link/confirm',
	operationId: 'confirmOidcLink',
	summary: 'Link the identity with the token of the mail',
	description: 'Afterwards the sign-in with the identity provider is begun again.',
	body: tokenBody,
	output: linkedSchema,
	message: 'Linked',
	errors: errorsNamed(
		'OIDC_NOT_CONFIGURED',
		'ACCOUNT_TOKEN_INVALID',
		'OIDC_OTHER_BROWSER',
		'IDENTITY_LINKED',
	),
	handler: async ({ body, headers, log }, deps) => {
		const { publicUrl } = providerOf(deps);
		const at = deps.now();
		const { data } = await readAccountToken(deps.db, body.token, 'LINK_IDENTITY', at);
		const browser = browserOf(headers, publicUrl);
		if (browser === undefined || digest(browser).toString('base64url') !== data['browser'])
			throw authError('OIDC_OTHER_BROWSER');
		return inTransaction(deps.db, async (transaction) => {
			const { userId } = await useAccountToken(transaction, body.token, 'LINK_IDENTITY', at);
			const user = await lockUser(transaction, userId);
			const isVerified = user.emailVerifiedAt !== null;
			const isOpen = user.status === 'ACTIVE' && (isVerified || (await isInvited(transaction, userId, at)));
			// The address has been changed since, or the invitation has expired.
			if (data['account'] !== user.email || !isOpen) throw authError('ACCOUNT_TOKEN_INVALID');
			// The mail proves the address, like that of the invitation.
			if (!isVerified) {
				const verified = await verifyUser(transaction, user, at);
				await revokeOutdated(transaction, { from: user, to: verified }, at);
			}
			await addIdentity(deps, transaction, { user, identity: data as unknown as LinkedIdentity, log });
			return { email: user.email, linkedAt: at.toISOString() };
		});
	},
});

const list = route({
	access: 'signedIn',
	cacheControl: 'no-store',
	method: 'get',
	path: '/auth/oidc/identities',
	operationId: 'listExternalIdentities',
	readers: 'account',
	summary: 'The external identities that sign in to the caller’s account',
	output: identitiesSchema,
	message: 'Identities',
	handler: async ({ principal }, deps) => {
		const { id } = await requireSession(deps, principal);
		return identitiesDto(await listIdentities(deps.db, id));
	},
});

const remove = route({
	access: 'signedIn',
	cacheControl: 'no-store',
	method: 'delete',
	writers: 'account',
	path: '/auth/oidc/identities/{id}',
	operationId: 'removeExternalIdentity',
	summary: 'Remove an external identity from the caller’s account',
	description: 'It does not sign in any more; open sessions continue.',
	output: identitiesSchema,
	message: 'Identity removed',
	handler: async ({ principal, params, log }, deps) => {
		const { id } = await requireSession(deps, principal);
		const isRemoved = await inTransaction(deps.db, (transaction) =>
			deleteIdentity(transaction, id, params.id),
		);
		if (!isRemoved) throw apiError('NOT_FOUND');
		log.warn('an external identity was removed', { userId: id, identityId: params.id });
		return identitiesDto(await listIdentities(deps.db, id));
	},
});

function linkedOf({ issuer, subject, email }: LinkedIdentity): LinkedIdentity {
	return { issuer, subject, email };
}

/** @throws ApiError OIDC_NOT_CONFIGURED */
export function providerOf({ identityProvider }: AuthDeps) {
	if (identityProvider === undefined) throw authError('OIDC_NOT_CONFIGURED');
	return identityProvider;
}

export const linkRoutes: readonly Route<AuthDeps>[] = [link, linkMail, confirmLink, list, remove];
