import type { ContextDescription } from '@paddock/contract';

export const context: ContextDescription = {
	name: 'specimens',
	summary: 'Specimens',
	prefix: '/api/specimens',
	portOffset: 0,
	critical: false,
	hasDatabase: true,
	calls: [],
	demo: 'specimens',
};
