import { erasePerson, exportPerson } from '@paddock/context';
import { inTransaction } from '@paddock/database';
import { defineQueue, type JobHandler, type Jobs, on } from '@paddock/jobs';
import { languageOf } from '@paddock/mail';
import type { Logger } from '@paddock/telemetry';
import { fullName } from '@paddock/text';
import type { AuthDatabase, AuthSchema } from '../database-schema.ts';
import { deleteDevicesOf } from '../devices/store.ts';
import { enqueueAccountMail } from '../mails/account-mail.ts';
import { personalData } from '../personal-data.ts';
import { revokeOutdated } from '../revocations/store.ts';
import { endSessionsOf } from '../sessions/store.ts';
import { keepAdministrator, lockAdministrators } from '../users/rules.ts';
import { getUser, lockUser, updateUser } from '../users/store.ts';
import type { PersonalContext } from './contexts.ts';
import { erasureDoneMail, exportReadyMail } from './privacy-mails.ts';
import type { ErasureReport, ExportedPerson } from './schemas.ts';
import { changeRequest, findRequest, lockRequest, type PersonRequest } from './store.ts';

interface PersonJob {
	readonly requestId: string;
}

export const exportQueue = defineQueue<PersonJob>('person-exports', { atOnce: 1, attemptS: 300 });
export const erasureQueue = defineQueue<PersonJob>('person-erasures', { atOnce: 1, attemptS: 300 });

/** How long an export can be downloaded. */
const exportLifeMs = 7 * 24 * 60 * 60_000;

interface PersonJobDeps {
	readonly db: AuthDatabase;
	readonly now: () => Date;
	readonly logger: Logger;
	readonly contexts: readonly PersonalContext[];
	readonly jobs: () => Pick<Jobs<AuthSchema>, 'enqueue'>;
}

/** Both may run again after a crash at any point; a context that does not respond fails the attempt. */
export function personJobs(deps: PersonJobDeps): readonly JobHandler[] {
	return [
		on(exportQueue, async ({ requestId }, { signal }) => {
			const request = await findRequest(deps.db, requestId);
			if (request?.status === 'REQUESTED') await runExport(request, deps, signal);
		}),
		on(erasureQueue, async ({ requestId }, { signal }) => {
			const started = await startErasure(requestId, deps);
			if (started !== undefined) await runErasure(started, deps, signal);
		}),
	];
}

async function runExport(
	{ id, userId }: PersonRequest,
	{ db, now, contexts, jobs, logger }: PersonJobDeps,
	signal: AbortSignal,
): Promise<void> {
	const { memberId } = await getUser(db, userId);
	const own = await exportPerson(db, personalData, { userId, memberId });
	const data = [{ context: 'auth', ...own }];
	for (const context of contexts)
		data.push({ context: context.name, ...(await context.export({ id, userId, memberId }, signal)) });
	const at = now();
	const document: ExportedPerson = { createdAt: at.toISOString(), userId, memberId, contexts: data };
	await inTransaction(db, async (transaction) => {
		const locked = await lockRequest(transaction, id);
		if (locked?.status !== 'REQUESTED') return;
		const ready = {
			status: 'READY',
			finishedAt: at,
			expiresAt: new Date(at.getTime() + exportLifeMs),
			document: JSON.stringify(document),
		} as const;
		await changeRequest(transaction, { id }, ready, at);
		await enqueueAccountMail({ jobs: jobs(), transaction }, exportReadyMail, { requestId: id }, id);
	});
	logger.info('personal data were exported', { userId, requestId: id });
}

/**
 * Closes the account; from here on the erasure cannot be cancelled. Undefined if there is nothing to do: it was cancelled, or
 * is complete. @throws ApiError LAST_ADMINISTRATOR; Error before it is due
 */
async function startErasure(
	requestId: string,
	{ db, now }: PersonJobDeps,
): Promise<PersonRequest | undefined> {
	return inTransaction(db, async (transaction) => {
		await lockAdministrators(transaction);
		const request = await lockRequest(transaction, requestId);
		if (request?.status === 'STARTED') return request;
		if (request?.status !== 'REQUESTED') return undefined;
		// The queue follows the clock of the database, which may be ahead: the job must be repeated, not completed.
		if (request.dueAt > now()) throw new Error('The erasure is not due yet by the clock of this process.');
		const user = await lockUser(transaction, request.userId);
		await keepAdministrator(transaction, user, { ...user, status: 'CLOSED' });
		const started = await changeRequest(
			transaction,
			request,
			{ status: 'STARTED', memberId: user.memberId },
			now(),
		);
		const closed = await updateUser(transaction, user, { status: 'CLOSED' }, now());
		await endSessionsOf(transaction, user.id, now());
		await deleteDevicesOf(transaction, user.id);
		await revokeOutdated(transaction, { from: user, to: closed }, now());
		return started;
	});
}

/** The other contexts first: the account's own data are needed until all of them have succeeded. */
async function runErasure(
	request: PersonRequest,
	{ db, now, contexts, jobs, logger }: PersonJobDeps,
	signal: AbortSignal,
): Promise<void> {
	const { id, userId, memberId } = request;
	const report: ErasureReport[number][] = [];
	for (const context of contexts)
		report.push({ context: context.name, ...(await context.erase(request, signal)) });
	await inTransaction(db, async (transaction) => {
		const locked = await lockRequest(transaction, id);
		// Another attempt has completed it: this one found less to report.
		if (locked?.status !== 'STARTED') return;
		const user = await lockUser(transaction, userId);
		const address = { to: user.email, name: fullName(user), language: languageOf(user.locale) };
		await enqueueAccountMail({ jobs: jobs(), transaction }, erasureDoneMail, address, id);
		report.push({
			context: 'auth',
			...(await erasePerson(transaction, personalData, { userId, memberId })),
		});
		const done = { status: 'DONE', finishedAt: now(), report: JSON.stringify(report) } as const;
		await changeRequest(transaction, { id }, done, now());
	});
	logger.info('a person was erased', { userId, requestId: id });
}
