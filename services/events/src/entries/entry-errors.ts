import type { ErrorDefinition } from '@paddock/contract';

/** What only the routes of entries answer with. */
export const entryErrors = {
	ENTRY_NOT_ALLOWED: {
		status: 422,
		message: 'The rules do not allow this entry. Its checks say why.',
	},
} as const satisfies Record<string, ErrorDefinition>;
