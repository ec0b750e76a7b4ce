import type { ContextDescription } from '@paddock/contract';

export const context: ContextDescription = {
	name: 'masterdata',
	summary: 'Countries, states, age classes, venues',
	prefix: '/api/masterdata',
	portOffset: 3,
	critical: true,
	hasDatabase: true,
	calls: ['members', 'horses', 'events'],
	client: { id: '5e000000-0000-4000-8000-000000000005', scopes: ['references:count'] },
	demo: 'venues',
};
