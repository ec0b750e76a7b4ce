import type { ContextDescription } from '@paddock/contract';

export const context: ContextDescription = {
	name: 'events',
	summary: 'Tournaments, competitions, entries',
	prefix: '/api/events',
	portOffset: 5,
	critical: true,
	hasDatabase: true,
	calls: ['auth', 'members', 'horses', 'masterdata'],
	client: {
		id: '5e000000-0000-4000-8000-000000000003',
		scopes: ['mails:send', 'members:lookup', 'horses:lookup'],
	},
	demo: 'events',
};
