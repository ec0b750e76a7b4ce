import { personErasure, personExport } from '@paddock/context';
import { emailAddress, id, instant } from '@paddock/service';
import { z } from 'zod';
import { accountTokenField } from '../account-tokens/account-tokens.ts';
import { personRequestStatuses } from '../database-schema.ts';

const status = z.enum(personRequestStatuses).meta({
	id: 'PersonRequestStatus',
	description:
		'READY: the export can be downloaded. STARTED: the erasure cannot be cancelled any more. DONE: it is complete.',
});

export const dataExport = z
	.strictObject({
		id,
		status,
		createdAt: instant.describe('When it was requested, in UTC.'),
		finishedAt: instant.nullable().describe('When it became ready, in UTC; null before.'),
		expiresAt: instant
			.nullable()
			.describe('Until when it can be downloaded, in UTC; null before it is ready.'),
	})
	.meta({
		id: 'DataExport',
		description: 'A request for everything that the system stores about the caller.',
		example: {
			id: '4b1f6a52-7c0e-4f3f-9f6d-1d2c3b4a5968',
			status: 'READY',
			createdAt: '2026-05-01T10:00:00.000Z',
			finishedAt: '2026-05-01T10:00:03.000Z',
			expiresAt: '2026-05-08T10:00:03.000Z',
		},
	});

export type DataExport = z.output<typeof dataExport>;

export const downloadBody = z.strictObject({ token: accountTokenField }).meta({
	id: 'ExportDownload',
	description: 'The token in the link of the mail.',
	example: { token: 'Zm9yIGV4YW1wbGUgb25seSwgbm90IGEgcmVhbCB0b2s' },
});

const contextData = z
	.strictObject({ context: z.string().describe('Name of the context.'), ...personExport.shape })
	.meta({ id: 'ContextData', description: 'The data of one context.' });

export const exportedPerson = z
	.strictObject({
		createdAt: instant.describe('When the data were collected, in UTC.'),
		userId: id.describe('UUID of the account.'),
		memberId: id.nullable().describe('UUID of the member that the account belongs to; null without one.'),
		contexts: z.array(contextData).describe('The data of each context.'),
	})
	.meta({ id: 'ExportedPerson', description: 'Everything that the system stores about a person.' });

export type ExportedPerson = z.output<typeof exportedPerson>;

export const erasureBody = z
	.strictObject({ email: emailAddress.describe('The e-mail address of the account, as a confirmation.') })
	.meta({
		id: 'ErasureRequest',
		description: 'A request to erase the caller’s data.',
		example: { email: 'anna.huber@example.org' },
	});

export const erasure = z
	.strictObject({
		id,
		status,
		createdAt: instant.describe('When it was requested, in UTC.'),
		dueAt: instant.describe('When the erasure begins unless it is cancelled before, in UTC.'),
		finishedAt: instant.nullable().describe('When it was cancelled or complete, in UTC; null before.'),
	})
	.meta({
		id: 'Erasure',
		description: 'An erasure of the caller’s data.',
		example: {
			id: '4b1f6a52-7c0e-4f3f-9f6d-1d2c3b4a5968',
			status: 'REQUESTED',
			createdAt: '2026-05-01T10:00:00.000Z',
			dueAt: '2026-05-31T10:00:00.000Z',
			finishedAt: null,
		},
	});

export type Erasure = z.output<typeof erasure>;

export const erasureReport = z
	.strictObject({
		...erasure.shape,
		contexts: z
			.array(
				z
					.strictObject({ context: z.string().describe('Name of the context.'), ...personErasure.shape })
					.meta({ id: 'ContextErasure', description: 'What the erasure did in one context.' }),
			)
			.describe('What it did in each context.'),
	})
	.meta({ id: 'ErasureReport', description: 'What an erasure deleted, changed and kept, and why.' });

/** What an erasure did in each context. */
export type ErasureReport = readonly ({ readonly context: string } & z.output<typeof personErasure>)[];
