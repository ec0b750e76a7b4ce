import type { ContextDescription } from '@paddock/contract';

export const context: ContextDescription = {
	name: 'horses',
	summary: 'Horses, owners, pedigrees',
	prefix: '/api/horses',
	portOffset: 4,
	critical: true,
	hasDatabase: true,
	calls: ['auth', 'members', 'masterdata', 'events'],
	client: { id: '5e000000-0000-4000-8000-000000000002', scopes: ['mails:send', 'members:lookup'] },
	demo: 'horses',
};
