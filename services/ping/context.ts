import type { ContextDescription } from '@paddock/contract';

export const context: ContextDescription = {
	name: 'ping',
	summary: 'Checks the path to a service and back',
	prefix: '/api/ping',
	portOffset: 6,
	critical: false,
	hasDatabase: false,
	calls: [],
};
