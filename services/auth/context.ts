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
	calls: ['members', 'masterdata', 'horses', 'events'],
	issuesServiceTokens: true,
	secrets: {
		ADMIN_EMAIL: 'E-mail address of the first administrator.',
		ADMIN_PASSWORD: 'Password of that account; the rules for all passwords apply (12 characters or more).',
		SMTP_URL: 'Address of the mail server with user name and password.',
		PUBLIC_URL: 'Address of the gateway as its users know it, for the links in mails.',
		KEY_ENCRYPTION_KEY:
			'Key that encrypts secrets in the database of auth, 64 hexadecimal digits: `openssl rand -hex 32`. Without it a backup is not usable.',
	},
	demo: 'accounts',
};
