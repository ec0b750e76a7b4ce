import type { ContextDescription } from '@paddock/contract';

export const context: ContextDescription = {
	name: 'auth',
	summary: 'Accounts, sign-in, sessions, roles',
	prefix: '/auth',
	alsoAt: ['/.well-known/jwks.json'],
	portOffset: 1,
	critical: true,
	checksSessions: true,
	hasDatabase: true,
	calls: ['members'],
	issuesServiceTokens: true,
	secrets: {
		ADMIN_EMAIL: 'E-mail address of the first administrator.',
		ADMIN_PASSWORD: 'Password of that account; the rules for all passwords apply (12 characters or more).',
	},
	demo: 'accounts',
};
