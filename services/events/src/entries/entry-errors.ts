import type { ErrorDefinition } from '@paddock/contract';

/** What only the routes of entries answer with. */
export const entryErrors = {
	ENTRY_NOT_ALLOWED: {
		status: 422,
		message: 'The rules do not allow this entry. Its checks say why.',
	},
	COMPETITION_FULL: {
		status: 409,
		message: 'A competition has no place left. The entry keeps the starts that it has.',
	},
} as const satisfies Record<string, ErrorDefinition>;
