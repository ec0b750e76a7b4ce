import type { ContextDescription } from '@paddock/contract';

export const context: ContextDescription = {
	name: 'ping',
	summary: 'Whether the path to a service and back works',
	prefix: '/api/ping',
	portOffset: 6,
	critical: false,
	hasDatabase: false,
	calls: [],
};
