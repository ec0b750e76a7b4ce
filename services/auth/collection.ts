import { becomes, type CollectionStep, type ContextCollection } from '@paddock/contract';

const password = 'three bales and a bucket';
const nextPassword = 'a saddle on every peg';
const newcomer = 'lena.{{run}}@example.org';
const tokens = (prefix: string) => ({
	[`${prefix}Token`]: 'data.accessToken',
	[`${prefix}RefreshToken`]: 'data.refreshToken',
});

/** Computes a code of the authenticator app (RFC 6238), of the present time step or one next to it. */
const totpCode = (stepsAhead: number): readonly string[] => [
	"const bits = [...pm.collectionVariables.get('totpSecret')]",
	"	.map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');",
	"const key = bits.match(/.{8}/g).map((byte) => parseInt(byte, 2).toString(16).padStart(2, '0')).join('');",
	`const step = (Math.floor(Date.now() / 30000) + ${stepsAhead}).toString(16).padStart(16, '0');`,
	'const hmac = CryptoJS.HmacSHA1(CryptoJS.enc.Hex.parse(step), CryptoJS.enc.Hex.parse(key)).toString();',
	'const offset = 2 * parseInt(hmac.at(-1), 16);',
	'const number = parseInt(hmac.slice(offset, offset + 8), 16) & 0x7fffffff;',
	"pm.collectionVariables.set('totpCode', String(number % 1000000).padStart(6, '0'));",
];
const challengeToken = '{{challengeToken}}';
const refusedWith = (code: string): readonly string[] => [
	`pm.test('it is ${code}', () => pm.expect(response.data.code).to.equal('${code}'));`,
];

/** Enrols an authenticator app, signs in with it, confirms it for a sensitive operation, and removes it. */
const secondFactorSteps: readonly CollectionStep[] = [
	{ operationId: 'beginTotpEnrolment', token: 'memberToken', keep: { totpSecret: 'data.secret' } },
	{
		operationId: 'confirmTotpEnrolment',
		token: 'memberToken',
		before: totpCode(-1),
		body: { code: '{{totpCode}}' },
		keep: { factorId: 'data.factors[0].id' },
		tests: [
			"pm.test('it has recovery codes', () => pm.expect(response.data.recoveryCodes).to.have.lengthOf(10));",
		],
	},
	{
		operationId: 'login',
		name: 'Sign in: the first of two steps',
		body: { email: newcomer, password: nextPassword },
		status: 403,
		keep: { challengeToken: 'data.challengeToken' },
		tests: refusedWith('SECOND_FACTOR_REQUIRED'),
	},
	{
		operationId: 'getSignInPasskeyOptions',
		name: 'Choose a passkey without having one',
		body: { challengeToken },
		status: 409,
		keep: {},
		tests: refusedWith('NO_PASSKEY'),
	},
	{
		operationId: 'completeSignInWithPasskey',
		name: 'Complete the sign-in with an invented passkey',
		body: { challengeToken },
		status: 400,
		keep: {},
		tests: refusedWith('SECOND_FACTOR_WRONG'),
	},
	...(['beginSignInEnrolment', 'completeSignInEnrolment'] as const).map((operationId) => ({
		operationId,
		name: `${operationId === 'beginSignInEnrolment' ? 'Begin' : 'Complete'} an enrolment that the account does not need`,
		body: { challengeToken },
		status: 400,
		keep: {},
		tests: refusedWith('SIGN_IN_CHALLENGE_INVALID'),
	})),
	{
		operationId: 'completeSignIn',
		before: totpCode(0),
		body: { challengeToken, code: '{{totpCode}}' },
		keep: tokens('member'),
	},
	{
		operationId: 'stepUp',
		token: 'memberToken',
		before: totpCode(1),
		body: { code: '{{totpCode}}' },
		keep: { memberToken: 'data.accessToken' },
	},
	{ operationId: 'getPasskeyEnrolmentOptions', token: 'memberToken' },
	{
		operationId: 'enrolPasskey',
		name: 'Enrol an invented passkey',
		token: 'memberToken',
		status: 400,
		keep: {},
		tests: refusedWith('PASSKEY_REFUSED'),
	},
	{
		operationId: 'getStepUpPasskeyOptions',
		name: 'Confirm with a passkey without having one',
		token: 'memberToken',
		status: 409,
		keep: {},
		tests: refusedWith('NO_PASSKEY'),
	},
	{
		operationId: 'stepUpWithPasskey',
		name: 'Confirm with an invented passkey',
		token: 'memberToken',
		status: 400,
		keep: {},
		tests: refusedWith('SECOND_FACTOR_WRONG'),
	},
	{ operationId: 'listSecondFactors', token: 'memberToken' },
	{ operationId: 'renewRecoveryCodes', token: 'memberToken' },
	{ operationId: 'deleteSecondFactor', token: 'memberToken', path: { id: '{{factorId}}' } },
	{ operationId: 'stepUpWithPassword', token: 'memberToken', body: { password: nextPassword } },
];

const guardian = { email: 'guardian.{{run}}@example.org', password: 'an apple for each pony' };

/** A deployment without an external identity provider says so. */
const externalSignInSteps: readonly CollectionStep[] = [
	{
		operationId: 'getIdentityProvider',
		tests: ["pm.test('there is none', () => pm.expect(response.data.isAvailable).to.equal(false));"],
	},
	...(
		[
			'startOidcSignIn',
			'completeOidcSignIn',
			'exchangeOidcCode',
			'linkOidcIdentity',
			'requestOidcLinkMail',
			'confirmOidcLink',
		] as const
	).map((operationId) => ({ operationId, status: 404, keep: {}, tests: refusedWith('OIDC_NOT_CONFIGURED') })),
	{ operationId: 'listExternalIdentities', token: 'memberToken' },
	{
		operationId: 'removeExternalIdentity',
		name: 'Remove an identity that the account does not have',
		token: 'memberToken',
		path: { id: '00000000-0000-4000-8000-000000000000' },
		status: 404,
	},
];

/** A parent becomes guardian of a child, whom later folders enter; another request is declined, a third withdrawn. */
const guardianSteps: readonly CollectionStep[] = [
	{
		operationId: 'createMember',
		name: 'Add a child as a member',
		before: ["pm.collectionVariables.set('childBorn', String(new Date().getFullYear() - 12) + '-05-02');"],
		headers: { 'Idempotency-Key': 'child-{{run}}' },
		body: {
			firstName: 'Mia',
			lastName: 'Koppelbach {{run}}',
			dateOfBirth: '{{childBorn}}',
			email: guardian.email,
			homeClubId: null,
			guardian: { name: 'Lena Koppelbach', relationship: 'mother' },
		},
		keep: { childId: 'data.id', childNumber: 'data.membershipNumber' },
	},
	{ operationId: 'approveMember', name: 'Approve the child', path: { id: '{{childId}}' } },
	{
		operationId: 'register',
		name: 'Register an account for the guardian',
		body: { ...guardian, firstName: 'Lena', lastName: 'Koppelbach' },
		keep: {},
	},
	{
		operationId: 'login',
		name: 'Sign in as the guardian',
		body: guardian,
		keep: { guardianToken: 'data.accessToken' },
	},
	{
		operationId: 'claimMember',
		token: 'guardianToken',
		body: { relationship: 'GUARDIAN', membershipNumber: '{{childNumber}}', dateOfBirth: '{{childBorn}}' },
		tests: becomes('REQUESTED'),
	},
	{ operationId: 'getMemberLink', token: 'guardianToken' },
	{ operationId: 'listMemberLinkRequests', query: { status: 'REQUESTED' } },
	{ operationId: 'confirmMemberLink', tests: becomes('CONFIRMED') },
	{
		operationId: 'login',
		name: 'Sign in with the new right',
		body: guardian,
		keep: { guardianToken: 'data.accessToken' },
	},
	{
		operationId: 'getMember',
		name: 'Read the child’s record as the guardian',
		path: { id: '{{childId}}' },
		token: 'guardianToken',
	},
	{
		operationId: 'claimMember',
		name: 'Request a link to a member that does not exist',
		token: 'guardianToken',
		body: { relationship: 'SELF', membershipNumber: '99999999' },
		tests: becomes('REQUESTED'),
	},
	{ operationId: 'declineMemberLink', tests: becomes('DECLINED') },
	{
		operationId: 'claimMember',
		name: 'Request another link',
		token: 'guardianToken',
		body: { relationship: 'SELF', membershipNumber: '99999998' },
	},
	{
		operationId: 'endMemberLink',
		token: 'guardianToken',
		body: { reason: null },
		tests: becomes('ENDED'),
	},
	{ operationId: 'listMemberLinks', token: 'guardianToken', query: { status: 'CONFIRMED' } },
];

/** An account requests its data, and an erasure that it cancels. */
const privacySteps: readonly CollectionStep[] = [
	{ operationId: 'requestDataExport', token: 'memberToken', keep: {} },
	{ operationId: 'getDataExport', token: 'memberToken' },
	{
		operationId: 'downloadDataExport',
		name: 'Download an export with a token that is not valid',
		status: 400,
	},
	{
		operationId: 'requestErasure',
		token: 'memberToken',
		body: { email: newcomer },
		keep: {},
		tests: becomes('REQUESTED'),
	},
	{ operationId: 'getErasure', token: 'memberToken' },
	{ operationId: 'cancelErasure', token: 'memberToken', tests: becomes('CANCELLED') },
	{
		operationId: 'getErasureReport',
		name: 'Read the report of an erasure that did not take place',
		status: 404,
	},
];

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
	...secondFactorSteps,
	...externalSignInSteps,
	{
		operationId: 'changeEmail',
		token: 'memberToken',
		body: { newEmail: 'koppelbacher.{{run}}@example.org', currentPassword: nextPassword },
	},
	{ operationId: 'confirmEmailChange', name: 'Confirm a change of address with an old link', status: 400 },
	{
		operationId: 'inviteUser',
		body: {
			email: 'invited.{{run}}@example.org',
			firstName: 'Paula',
			lastName: 'Koppelbach',
			roles: ['MEMBER'],
			roleScopes: {},
		},
		keep: {},
	},
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
	...guardianSteps,
	...privacySteps,
	{ operationId: 'getJsonWebKeySet' },
	{ operationId: 'rotateSigningKeys' },
	{ operationId: 'logout', token: 'memberToken' },
	{ operationId: 'resetSecondFactors' },
	{
		operationId: 'suspendUser',
		tests: ["pm.test('it is suspended', () => pm.expect(response.data.status).to.eql('SUSPENDED'));"],
	},
	{ operationId: 'reinstateUser' },
	{ operationId: 'closeUser', name: 'Close the new account' },
];

export const collection: ContextCollection = {
	steps,
	inOrder: true,
	leaving: [
		{ operationId: 'deleteMember', name: 'Delete the child', path: { id: '{{childId}}' } },
		{
			operationId: 'logout',
			name: 'Sign the administrator out',
			tests: ["pm.collectionVariables.unset('adminToken');"],
		},
	],
};
