import { apiError, refuseInvalid } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { type Call, officersOnly, type Route, withInstants } from '@paddock/service';
import { readAccountToken } from '../account-tokens/account-tokens.ts';
import { type AuthDeps, route } from '../deps.ts';
import { authError, errorsNamed } from '../errors.ts';
import { enqueueAccountMail } from '../mails/account-mail.ts';
import { requireOfficer, requireSession } from '../sessions/require-session.ts';
import { keepAdministrator, lockAdministrators } from '../users/rules.ts';
import { lockUser } from '../users/store.ts';
import { erasureQueue, exportQueue } from './person-jobs.ts';
import { erasureRequestedMail } from './privacy-mails.ts';
import {
	type DataExport,
	dataExport,
	downloadBody,
	type Erasure,
	erasure,
	erasureBody,
	erasureReport,
	exportedPerson,
} from './schemas.ts';
import {
	changeRequest,
	findDocument,
	findLatest,
	insertRequest,
	lockRequest,
	type PersonRequest,
} from './store.ts';

const path = '/auth/privacy';
const cacheControl = 'no-store';
const dayMs = 24 * 60 * 60_000;
/** Time in which an erasure can be cancelled. */
const coolingOffMs = 30 * dayMs;

export const privacyRoutes: readonly Route<AuthDeps>[] = [
	route({
		method: 'post',
		writers: 'account',
		path: `${path}/exports`,
		operationId: 'requestDataExport',
		summary: 'Request everything that the system stores about the caller',
		description:
			'All contexts are asked in the background; a mail has the link to one JSON document, which expires after 7 days. Once a day.',
		access: 'signedIn',
		output: dataExport,
		status: 201,
		message: 'Export requested',
		cacheControl,
		errors: errorsNamed('REQUEST_PENDING', 'RATE_LIMITED'),
		handler: requestExport,
	}),
	route({
		method: 'get',
		path: `${path}/exports/latest`,
		operationId: 'getDataExport',
		readers: 'account',
		summary: 'Get the state of the caller’s latest export',
		access: 'signedIn',
		output: dataExport,
		message: 'Export',
		cacheControl,
		errors: errorsNamed('NOT_FOUND'),
		handler: async ({ principal }, deps) => {
			const user = await requireSession(deps, principal);
			return exportDto(requireFound(await findLatest(deps.db, user.id, 'EXPORT')));
		},
	}),
	route({
		method: 'post',
		writers: 'anyone',
		path: `${path}/exports/download`,
		operationId: 'downloadDataExport',
		summary: 'Download an export with the token of the mail',
		access: 'public',
		body: downloadBody,
		output: exportedPerson,
		message: 'Your data',
		cacheControl,
		errors: errorsNamed('ACCOUNT_TOKEN_INVALID'),
		handler: async ({ body, now }, { db }) => {
			const { data } = await readAccountToken(db, body.token, 'EXPORT', now);
			const document = await findDocument(db, String(data['requestId']), now);
			if (document === undefined) throw authError('ACCOUNT_TOKEN_INVALID');
			return exportedPerson.parse(document);
		},
	}),
	route({
		method: 'post',
		writers: 'account',
		path: `${path}/erasure`,
		operationId: 'requestErasure',
		summary: 'Request the erasure of the caller’s account and data',
		description:
			'It begins after 30 days, in which the caller can cancel it. Then the account is closed and every context anonymises the person; entries, ownership of horses and bookings stay without the name.',
		access: 'signedIn',
		body: erasureBody,
		output: erasure,
		status: 201,
		message: 'Erasure requested',
		cacheControl,
		errors: errorsNamed('REQUEST_PENDING', 'LAST_ADMINISTRATOR'),
		handler: requestErasure,
	}),
	route({
		method: 'get',
		path: `${path}/erasure`,
		operationId: 'getErasure',
		readers: 'account',
		summary: 'Get the caller’s latest request for an erasure',
		access: 'signedIn',
		output: erasure,
		message: 'Erasure',
		cacheControl,
		errors: errorsNamed('NOT_FOUND'),
		handler: async ({ principal }, deps) => {
			const user = await requireSession(deps, principal);
			return erasureDto(requireFound(await findLatest(deps.db, user.id, 'ERASURE')));
		},
	}),
	route({
		method: 'post',
		writers: 'account',
		path: `${path}/erasure/cancel`,
		operationId: 'cancelErasure',
		summary: 'Cancel the erasure of the caller’s data',
		access: 'signedIn',
		output: erasure,
		message: 'Erasure cancelled',
		cacheControl,
		errors: errorsNamed('NOT_FOUND'),
		handler: cancelErasure,
	}),
	route({
		method: 'get',
		path: '/auth/users/{id}/erasure',
		operationId: 'getErasureReport',
		readers: 'office',
		summary: 'Get what the erasure of an account deleted, changed and kept, and why',
		access: officersOnly,
		output: erasureReport,
		message: 'Report',
		cacheControl,
		handler: async ({ params, principal }, deps) => {
			await requireOfficer(deps, principal);
			const request = await findLatest(deps.db, params.id, 'ERASURE');
			if (request === undefined || request.report === null) throw apiError('NOT_FOUND');
			return erasureReport.parse({ ...erasureDto(request), contexts: request.report });
		},
	}),
];

async function requestExport({ principal, now }: Call, deps: AuthDeps): Promise<DataExport> {
	const user = await requireSession(deps, principal);
	return inTransaction(deps.db, async (transaction) => {
		await lockUser(transaction, user.id);
		const latest = await findLatest(transaction, user.id, 'EXPORT');
		const againAt = latest === undefined ? 0 : latest.createdAt.getTime() + dayMs;
		if (latest?.status === 'READY' && againAt > now.getTime())
			throw apiError('RATE_LIMITED', { retryAfterMs: againAt - now.getTime() });
		const request = await insertRequest(transaction, { userId: user.id, kind: 'EXPORT', dueAt: now }, now);
		await deps.jobs.enqueue(transaction, exportQueue, { requestId: request.id }, { id: request.id });
		return exportDto(request);
	});
}

async function requestErasure(
	{ principal, body, now, log }: Call & { readonly body: { readonly email: string } },
	deps: AuthDeps,
): Promise<Erasure> {
	const { id: userId, email } = await requireSession(deps, principal);
	if (body.email !== email)
		refuseInvalid([
			{ field: 'email', code: 'INVALID_REFERENCE', message: 'must be the address of your account' },
		]);
	const request = await inTransaction(deps.db, async (transaction) => {
		await lockAdministrators(transaction);
		const user = await lockUser(transaction, userId);
		await keepAdministrator(transaction, user, { ...user, status: 'CLOSED' });
		const dueAt = new Date(now.getTime() + coolingOffMs);
		const inserted = await insertRequest(transaction, { userId, kind: 'ERASURE', dueAt }, now);
		const requestId = inserted.id;
		const options = { id: requestId, startAfter: dueAt };
		await deps.jobs.enqueue(transaction, erasureQueue, { requestId }, options);
		await enqueueAccountMail(
			{ jobs: deps.jobs, transaction },
			erasureRequestedMail,
			{ requestId },
			requestId,
		);
		return inserted;
	});
	log.info('an erasure was requested', { userId, requestId: request.id });
	return erasureDto(request);
}

/** The job stays and does nothing. */
async function cancelErasure({ principal, now, log }: Call, deps: AuthDeps): Promise<Erasure> {
	const { id: userId } = await requireSession(deps, principal);
	const latest = await findLatest(deps.db, userId, 'ERASURE');
	const cancelled = await inTransaction(deps.db, async (transaction) => {
		const request = latest && (await lockRequest(transaction, latest.id));
		if (request?.status !== 'REQUESTED') throw noSuchRequest();
		return changeRequest(transaction, request, { status: 'CANCELLED', finishedAt: now }, now);
	});
	log.info('an erasure was cancelled', { userId, requestId: cancelled.id });
	return erasureDto(cancelled);
}

function requireFound(request: PersonRequest | undefined): PersonRequest {
	if (request === undefined) throw noSuchRequest();
	return request;
}

function noSuchRequest() {
	return apiError('NOT_FOUND', { message: 'There is no such request.' });
}

function exportDto({ id, status, createdAt, finishedAt, expiresAt }: PersonRequest): DataExport {
	return { id, status, ...withInstants({ createdAt, finishedAt, expiresAt }) };
}

function erasureDto({ id, status, createdAt, dueAt, finishedAt }: PersonRequest): Erasure {
	return { id, status, ...withInstants({ createdAt, dueAt, finishedAt }) };
}
