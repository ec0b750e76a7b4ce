import type { CollectionStep, ContextCollection } from '@paddock/contract';

const password = 'three bales and a bucket';
const nextPassword = 'a saddle on every peg';
const newcomer = 'lena.{{run}}@example.org';
const tokens = (prefix: string) => ({
	[`${prefix}Token`]: 'data.accessToken',
	[`${prefix}RefreshToken`]: 'data.refreshToken',
});

/** Signs the administrator in; registers an account, uses it and closes it. */
const steps: readonly CollectionStep[] = [
	{
		operationId: 'login',
		name: 'Sign in as the administrator',
		body: { email: '{{adminEmail}}', password: '{{adminPassword}}' },
		keep: tokens('admin'),
		before: ["pm.collectionVariables.set('run', Date.now().toString(36));"],
		tests: [
			"pm.test('it is an administrator', () => pm.expect(response.data.user.roles).to.include('ADMIN'));",
		],
	},
	{
		operationId: 'register',
		body: { email: newcomer, password, firstName: 'Lena', lastName: 'Koppelbach' },
		tests: [
			"pm.test('a demo system needs no verification', () => pm.expect(response.data.verificationRequired).to.equal(false));",
		],
	},
	{ operationId: 'resendVerification', body: { email: newcomer } },
	// Postman does not read mails: only a token that is not valid can be shown.
	{ operationId: 'verifyEmail', name: 'Verify an address with an old link', status: 400 },
	{ operationId: 'forgotPassword', body: { email: newcomer } },
	{ operationId: 'resetPassword', name: 'Set a password with an old link', status: 400 },
	{
		operationId: 'login',
		name: 'Sign in as the new account',
		body: { email: newcomer, password },
		keep: { ...tokens('member'), memberDeviceToken: 'data.deviceToken', usersId: 'data.user.id' },
	},
	{
		operationId: 'login',
		name: 'Sign in again on the same device',
		headers: { 'X-Device-Token': '{{memberDeviceToken}}' },
		body: { email: newcomer, password },
		keep: tokens('member'),
		tests: [
			"pm.test('the device is known', () => pm.expect(response.data.deviceToken).to.equal(pm.collectionVariables.get('memberDeviceToken')));",
		],
	},
	{ operationId: 'refreshTokens', body: { refreshToken: '{{memberRefreshToken}}' }, keep: tokens('member') },
	{ operationId: 'getProfile', token: 'memberToken' },
	{
		operationId: 'listSessions',
		token: 'memberToken',
		tests: [
			"pm.test('both sign-ins are listed', () => pm.expect(response.data.items.length).to.equal(2));",
			"pm.collectionVariables.set('sessionsId', response.data.items.find((session) => !session.current).id);",
		],
	},
	{ operationId: 'endSession', token: 'memberToken' },
	{
		operationId: 'patchProfile',
		token: 'memberToken',
		body: { firstName: 'Lena', lastName: 'Koppelbacher' },
		tests: [
			"pm.test('the name has changed', () => pm.expect(response.data.lastName).to.equal('Koppelbacher'));",
		],
	},
	{
		operationId: 'changePassword',
		token: 'memberToken',
		body: { currentPassword: password, newPassword: nextPassword },
	},
	{
		operationId: 'changeEmail',
		token: 'memberToken',
		body: { newEmail: 'koppelbacher.{{run}}@example.org', currentPassword: nextPassword },
	},
	{ operationId: 'confirmEmailChange', name: 'Confirm a change of address with an old link', status: 400 },
	{ operationId: 'listUsers', query: { q: 'koppelbacher', sort: 'email', page: '1', size: '20' } },
	{ operationId: 'getUser' },
	{ operationId: 'patchUserRoles', body: { roles: ['MEMBER', 'ORGANISER'], roleScopes: {} } },
	{
		// The token from before the change is refused within seconds.
		operationId: 'refreshTokens',
		name: 'Refresh the token after the change of roles',
		body: { refreshToken: '{{memberRefreshToken}}' },
		keep: tokens('member'),
		tests: [
			"pm.test('it shows the new role', () => pm.expect(response.data.user.roles).to.include('ORGANISER'));",
		],
	},
	{ operationId: 'releaseUser' },
	{ operationId: 'getJsonWebKeySet' },
	{ operationId: 'rotateSigningKeys' },
	{ operationId: 'logout', token: 'memberToken' },
	{ operationId: 'patchUserStatus', name: 'Close the new account', body: { status: 'CLOSED' } },
];

export const collection: ContextCollection = {
	steps,
	inOrder: true,
	leaving: [
		{
			operationId: 'logout',
			name: 'Sign the administrator out',
			tests: ["pm.collectionVariables.unset('adminToken');"],
		},
	],
};
