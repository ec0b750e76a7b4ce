import type { ContextDescription } from '@paddock/contract';

export const context: ContextDescription = {
	name: 'members',
	summary: 'Members, clubs',
	prefix: '/api/members',
	portOffset: 2,
	critical: true,
	hasDatabase: true,
	calls: ['auth', 'masterdata', 'horses', 'events'],
	client: {
		id: '5e000000-0000-4000-8000-000000000001',
		scopes: ['mails:send', 'horses:lookup', 'references:count'],
	},
	demo: 'members and clubs',
};
