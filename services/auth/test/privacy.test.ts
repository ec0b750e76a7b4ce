import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
	compileCache,
	createSettableRegistry,
	eventually,
	type MailServer,
	recordingUpstream,
	respondWithEnvelope,
	startMailServer,
	type TestFailure,
	tracesOf,
} from '@paddock/testing';
import { sql } from 'kysely';
import { eraseAgain } from '../src/privacy/erase-again.ts';
import { erasureQueue } from '../src/privacy/person-jobs.ts';
import type { DataExport, Erasure, ExportedPerson } from '../src/privacy/schemas.ts';
import { type Person, type RunningAuth, runAuth, type Tokens } from './running-auth.ts';

const dayMs = 86_400_000;
let server: MailServer;
let members: Awaited<ReturnType<typeof recordingUpstream>>;
let auth: RunningAuth;
/** What the members context responds to the next requests; 503 before them. */
let failures = 0;
/** Runs before the members context responds to an erasure. */
let duringErasure: () => Promise<unknown> = async () => undefined;

beforeAll(async () => {
	server = await startMailServer();
	members = await recordingUpstream((req, res) => {
		if (failures > 0) {
			failures -= 1;
			return respondWithEnvelope(res, 503, { code: 'OVERLOADED', status: 503 });
		}
		const isExport = req.url?.includes('/export') === true;
		const table = isExport
			? { table: 'members', purpose: 'Register', rows: [{ lastName: 'Quendolf' }] }
			: { table: 'members', outcome: 'ANONYMISED', rows: 1, kept: 'An anonymous record stays.' };
		const waited = isExport ? Promise.resolve() : duringErasure();
		void waited.then(() => respondWithEnvelope(res, 200, { tables: [table] }));
	});
	auth = await runAuth({
		settings: { SMTP_URL: server.url, JOB_POLL_MS: '500' },
		registry: createSettableRegistry({ 'members-service': [members.url] }),
	});
});
beforeEach(() => {
	failures = 0;
	duringErasure = async () => undefined;
});
afterAll(async () => {
	await auth.close();
	await members.close();
	await server.stop();
});

type Caller = Person & Tokens;

async function person(): Promise<Caller & { readonly memberId: string; readonly lastName: string }> {
	// No other account of this file has the name.
	const lastName = `Rumpel${randomUUID().replaceAll(/[^a-f]/g, '')}`;
	const registered = await auth.register({ firstName: 'Ada', lastName });
	const memberId = randomUUID();
	await auth.deps.db.updateTable('users').set({ memberId }).where('id', '=', registered.id).execute();
	return { ...registered, ...(await auth.signIn(registered)), memberId, lastName };
}

/** `npm run erasures` with a file of these accounts, on the database of auth. */
async function erasures(args: readonly string[], accounts?: readonly string[]) {
	const folder = await mkdtemp(join(tmpdir(), 'paddock-erasures-'));
	try {
		const databases = join(folder, 'databases.json');
		await writeFile(databases, JSON.stringify({ auth: auth.databaseUrl }));
		const list = join(folder, 'erased.txt');
		if (accounts !== undefined) await writeFile(list, `${accounts.join('\n')}\n`);
		const files = accounts === undefined ? [databases] : [list, databases];
		const { code, stdout, stderr } = await run([...args, ...files]);
		return { code, lines: stdout.split('\n').filter((line) => line !== ''), problem: stderr };
	} finally {
		await rm(folder, { recursive: true });
	}
}

function run(args: readonly string[]): Promise<{ code: number | string; stdout: string; stderr: string }> {
	const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof run>>>();
	const script = fileURLToPath(new URL('../../../scripts/erasures.ts', import.meta.url));
	execFile(process.execPath, [script, ...args], { env: compileCache }, (error, stdout, stderr) =>
		resolve({ code: error?.code ?? 0, stdout, stderr }),
	);
	return promise;
}

const send = <Data>(method: string, path: string, token: string, body?: object) =>
	auth.call<Data & TestFailure>(method, `/auth/privacy${path}`, {
		token,
		...(body === undefined ? {} : { body }),
	});
const hasMail = (email: string, subject: string) => () =>
	server.to(email).some((mail) => mail.subject === subject);

describe('an export', () => {
	test('is one document of all contexts, by a link of a mail that expires', async () => {
		const caller = await person();
		const now = auth.clock.now();
		const link = { userId: caller.id, relationship: 'GUARDIAN', createdAt: now, updatedAt: now } as const;
		const claim = {
			...link,
			membershipNumber: '10010001',
			dateOfBirth: '2014-05-02',
			memberId: randomUUID(),
		};
		const [open, confirmed] = [
			{ ...claim, clubId: randomUUID(), status: 'REQUESTED' },
			{
				...claim,
				memberId: randomUUID(),
				clubId: randomUUID(),
				status: 'CONFIRMED',
				decidedAt: now,
				holdsUntil: now,
			},
		] as const;
		await auth.deps.db.insertInto('memberLinks').values([open, confirmed]).execute();
		const requested = await send<DataExport>('POST', '/exports', caller.accessToken);
		expect([requested.status, requested.data.status]).toEqual([201, 'REQUESTED']);
		await eventually('the mail is sent', hasMail(caller.email, 'Ihre Daten stehen bereit'));
		const [, token = ''] =
			/\/app\/privacy\/export#([\w-]{43})/.exec(server.to(caller.email)[0]?.text ?? '') ?? [];
		const download = () =>
			auth.call<ExportedPerson & TestFailure>('POST', '/auth/privacy/exports/download', { body: { token } });
		const { status, data } = await download();
		expect(status).toBe(200);
		expect(data).toMatchObject({ userId: caller.id, memberId: caller.memberId });
		expect(data.contexts.map(({ context }) => context)).toEqual(['auth', 'members']);
		const [own, other] = data.contexts;
		expect(own?.tables.find(({ table }) => table === 'users')?.rows).toMatchObject([
			{ email: caller.email, lastName: caller.lastName },
		]);
		const links = own?.tables.find(({ table }) => table === 'memberLinks')?.rows;
		const { memberId, clubId } = confirmed;
		// Whether a claim matches a member is disclosed by its confirmation only.
		expect(links?.filter(({ relationship }) => relationship === 'GUARDIAN')).toEqual([
			expect.objectContaining({ status: 'REQUESTED', memberId: null, clubId: null }),
			expect.objectContaining({ status: 'CONFIRMED', memberId, clubId }),
		]);
		expect(JSON.stringify(data)).not.toMatch(/passwordHash|tokenHash/);
		expect(other?.tables[0]?.rows).toEqual([{ lastName: 'Quendolf' }]);
		const asked = members.requests.at(-1);
		expect(asked?.url).toBe(`/internal/persons/${caller.id}/export?member=${caller.memberId}`);
		const again = await send('POST', '/exports', caller.accessToken);
		expect([again.status, again.data.code]).toEqual([429, 'RATE_LIMITED']);
		auth.clock.advance(7 * dayMs);
		expect((await download()).data.code).toBe('ACCOUNT_TOKEN_INVALID');
	});

	test('is nobody else’s, and not available without the token', async () => {
		const other = await auth.member();
		expect((await send('GET', '/exports/latest', other.accessToken)).status).toBe(404);
		const token = 'x'.repeat(43);
		const guessed = await auth.call<TestFailure>('POST', '/auth/privacy/exports/download', {
			body: { token },
		});
		expect(guessed.data.code).toBe('ACCOUNT_TOKEN_INVALID');
	});
});

describe('an erasure', () => {
	const request = async (caller: Caller) =>
		send<Erasure>('POST', '/erasure', caller.accessToken, { email: caller.email });
	/** As the queue does once it is due: the queue has a clock of its own. */
	const makeDue = async ({ id }: Pick<Erasure, 'id'>) => {
		await auth.deps.db
			.updateTable('personRequests')
			.set({ dueAt: new Date(auth.clock.now().getTime() - 1) })
			.where('id', '=', id)
			.execute();
		await enqueue({ id });
	};
	const enqueue = ({ id }: Pick<Erasure, 'id'>) =>
		auth.deps.db
			.transaction()
			.execute((transaction) => auth.deps.jobs.enqueue(transaction, erasureQueue, { requestId: id }));
	/** Lets a failed attempt be repeated without its delay. @returns whether one has failed */
	const retryNow = async ({ id }: Pick<Erasure, 'id'>) => {
		const { rows } = await sql`
			update jobs.job set start_after = now()
			where name = 'person-erasures' and state = 'retry' and data ->> 'requestId' = ${id}
			returning id`.execute(auth.deps.db);
		return rows.length > 0;
	};
	const isDone = async (id: string) => (await stored(id)).status === 'DONE';
	const stored = (id: string) =>
		auth.deps.db.selectFrom('personRequests').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

	test('begins after 30 days, and can be cancelled until then', async () => {
		const caller = await person();
		const wrong = await send('POST', '/erasure', caller.accessToken, { email: 'other@example.org' });
		expect([wrong.status, wrong.data.errors?.[0]?.field]).toEqual([400, 'email']);
		const { status, data } = await request(caller);
		expect(status).toBe(201);
		expect(Date.parse(data.dueAt) - Date.parse(data.createdAt)).toBe(30 * dayMs);
		expect((await request(caller)).data.code).toBe('REQUEST_PENDING');
		await eventually('the mail is sent', hasMail(caller.email, 'Ihre Daten werden gelöscht'));
		const cancelled = await send<Erasure>('POST', '/erasure/cancel', caller.accessToken);
		expect([cancelled.status, cancelled.data.status]).toEqual([200, 'CANCELLED']);
		await makeDue(data);
		expect((await send('POST', '/erasure/cancel', caller.accessToken)).status).toBe(404);
		expect((await request(caller)).status).toBe(201);
		expect((await stored(data.id)).status).toBe('CANCELLED');
	});

	// The queue follows the clock of the database, which may be ahead of that of this context.
	test('whose job begins too early is tried again', async () => {
		const { data } = await request(await person());
		await enqueue(data);
		await eventually('the attempt fails', () => retryNow(data));
		expect((await stored(data.id)).status).toBe('REQUESTED');
		const dueAt = new Date(auth.clock.now().getTime() - 1);
		await auth.deps.db.updateTable('personRequests').set({ dueAt }).where('id', '=', data.id).execute();
		await retryNow(data);
		await eventually('the erasure is done', () => isDone(data.id), 60_000);
	});

	test('that has begun is final: the account is not reinstated, by any route', async () => {
		const caller = await person();
		const { accessToken: token } = await auth.administrator();
		const { data } = await request(caller);
		failures = Number.POSITIVE_INFINITY;
		await makeDue(data);
		await eventually('the attempt fails', () => retryNow(data));
		const users = `/auth/users/${caller.id}`;
		const reinstated = async () => {
			const step = await auth.call<TestFailure>('POST', `${users}/reinstate`, { token });
			const body = { status: 'SUSPENDED' };
			const update = await auth.call<TestFailure>('PUT', `${users}/status`, { token, body });
			return [step, update].map((response) => [response.status, response.data.code]);
		};
		const refused = [409, 'ILLEGAL_STATE_TRANSITION'];
		expect(await reinstated()).toEqual([refused, refused]);
		failures = 0;
		await retryNow(data);
		await eventually('the erasure is done', () => isDone(data.id), 60_000);
		expect(await reinstated()).toEqual([refused, refused]);
		// As an earlier version could leave it.
		await auth.deps.db.updateTable('users').set({ status: 'ACTIVE' }).where('id', '=', caller.id).execute();
		const close = { token, body: { statusReason: 'Erased' } };
		expect((await auth.call('POST', `${users}/close`, close)).status).toBe(200);
	});

	// An attempt whose process counted as lost, and the one that took its place.
	test('keeps the report of the attempt that has completed it', async () => {
		const { data } = await request(await person());
		const report = [{ context: 'members', tables: [] }];
		duringErasure = () =>
			auth.deps.db
				.updateTable('personRequests')
				.set({ status: 'DONE', report: JSON.stringify(report) })
				.where('id', '=', data.id)
				.where('status', '=', 'STARTED')
				.execute();
		await makeDue(data);
		await eventually('the attempt ends', async () => {
			const { rows } = await sql`
				select 1 from jobs.job
				where name = 'person-erasures' and state = 'completed' and data ->> 'requestId' = ${data.id}`.execute(
				auth.deps.db,
			);
			return rows.length > 0;
		});
		expect((await stored(data.id)).report).toEqual(report);
	});

	test('is repeated after a restore from an older backup, by the list of the erased accounts', async () => {
		const { db } = auth.deps;
		const caller = await person();
		const waiting = await person();
		const backup = await db
			.selectFrom('users')
			.selectAll()
			.where('id', '=', caller.id)
			.executeTakeFirstOrThrow();
		const { data } = await request(caller);
		await makeDue(data);
		await eventually('the erasure is done', () => isDone(data.id), 60_000);
		const list = await erasures(['list']);
		expect(list).toEqual({ code: 0, lines: expect.arrayContaining([caller.id]), problem: '' });
		expect(list.lines).not.toContain(waiting.id);
		expect((await eraseAgain(auth.deps, [caller.id])).get(caller.id)).toBe('erased');
		// The backup is older than the request of the one, and has that of the other, which was not due.
		await db.deleteFrom('personRequests').where('userId', '=', caller.id).execute();
		const { id: _id, roleScopes, ...row } = backup;
		await db
			.updateTable('users')
			.set({ ...row, roleScopes: JSON.stringify(roleScopes) as never })
			.where('id', '=', caller.id)
			.execute();
		const pending = (await request(waiting)).data;
		expect((await auth.signIn(caller)).user.lastName).toBe(caller.lastName);
		const unknown = randomUUID();
		expect(await erasures(['repeat'], [caller.id, waiting.id, unknown, caller.id])).toEqual({
			code: 0,
			lines: [`${caller.id}: requested`, `${waiting.id}: requested`, `${unknown}: unknown`],
			problem: '',
		});
		await eventually('the other one is erased at once', () => isDone(pending.id), 60_000);
		const erased = async () => (await eraseAgain(auth.deps, [caller.id])).get(caller.id) === 'erased';
		await eventually('it is erased again', erased, 60_000);
		const after = await db
			.selectFrom('users')
			.selectAll()
			.where('id', '=', caller.id)
			.executeTakeFirstOrThrow();
		expect([after.status, after.lastName]).toEqual(['CLOSED', 'Anonymous']);
		expect(members.requests.filter(({ url }) => url?.includes(`${caller.id}/erase`)).length).toBe(2);
	});

	test('is not repeated for any account of a file with a line that is no id', async () => {
		const caller = await person();
		const { code, lines, problem } = await erasures(['repeat'], [caller.id, caller.email]);
		expect([code, lines]).toEqual([1, []]);
		expect(problem).toContain(`${caller.email} is not the id of an account`);
		const requests = auth.deps.db.selectFrom('personRequests').selectAll().where('userId', '=', caller.id);
		expect(await requests.execute()).toEqual([]);
		expect(await run(['repeat'])).toMatchObject({
			code: 2,
			stderr: expect.stringMatching(/^npm run erasures /),
		});
	});

	test('closes the account, waits for contexts that fail, leaves no trace, and reports what was kept', async () => {
		const caller = await person();
		const { data } = await request(caller);
		const { db } = auth.deps;
		const factor = { userId: caller.id, createdAt: auth.clock.now() };
		await db
			.insertInto('totpAuthenticators')
			.values({ ...factor, secret: 'sealed' })
			.execute();
		await db
			.insertInto('recoveryCodes')
			.values({ ...factor, codeHash: Buffer.from('digest') })
			.execute();
		await db
			.insertInto('passkeys')
			.values({
				...factor,
				credentialId: caller.id,
				publicKey: Buffer.from('key'),
				counter: 0,
				transports: [],
				name: `Phone of ${caller.lastName}`,
				isSynced: false,
			})
			.execute();
		const guardian = await person();
		const link = {
			userId: guardian.id,
			memberId: caller.memberId,
			relationship: 'GUARDIAN',
			status: 'CONFIRMED',
			membershipNumber: '10010001',
			dateOfBirth: '2014-05-02',
			holdsUntil: auth.clock.now(),
			createdAt: auth.clock.now(),
			updatedAt: auth.clock.now(),
		} as const;
		await db.insertInto('memberLinks').values(link).execute();
		failures = 2;
		await makeDue(data);
		await eventually('the erasure is done', () => isDone(data.id), 60_000);
		const birthDates = db
			.selectFrom('memberLinks')
			.select('dateOfBirth')
			.where('memberId', '=', caller.memberId);
		expect(await birthDates.execute()).toEqual([{ dateOfBirth: null }]);
		expect(failures).toBe(0);
		const signIn = await auth.call('POST', '/auth/login', {
			body: { email: caller.email, password: caller.password },
		});
		expect(signIn.status).toBe(401);
		const { data: session } = await auth.call<{ live: boolean }>('GET', '/internal/session', {
			token: caller.accessToken,
		});
		expect(session.live).toBe(false);
		for (const trace of [caller.lastName, caller.email])
			expect(await tracesOf(auth.deps.db, trace)).toEqual([]);
		for (const table of ['totpAuthenticators', 'recoveryCodes', 'passkeys'] as const)
			expect(await db.selectFrom(table).selectAll().where('userId', '=', caller.id).execute()).toEqual([]);
		const { memberId, report } = await stored(data.id);
		expect(memberId).toBe(caller.memberId);
		expect(report).toMatchObject([
			{ context: 'members', tables: [{ outcome: 'ANONYMISED', kept: 'An anonymous record stays.' }] },
			{ context: 'auth' },
		]);
		await eventually('the last mail is sent', hasMail(caller.email, 'Ihre Daten sind gelöscht'));
		// The same job again, as after a crash.
		const before = await stored(data.id);
		await makeDue(data);
		await eventually('no job is left', async () => {
			const { rows } = await sql`
				select 1 from jobs.job where name = 'person-erasures' and state < 'completed'
					and data ->> 'requestId' = ${data.id} and start_after <= now()`.execute(auth.deps.db);
			return rows.length === 0;
		});
		expect(await stored(data.id)).toMatchObject({ status: 'DONE', finishedAt: before.finishedAt });
		const admin = await auth.administrator();
		const shown = await auth.call<{ contexts: object[] }>('GET', `/auth/users/${caller.id}/erasure`, {
			token: admin.accessToken,
		});
		expect([shown.status, shown.data.contexts.length]).toEqual([200, 2]);
	});

	test('of the last administrator is refused', async () => {
		await auth.deps.db
			.updateTable('users')
			.set({ roles: ['MEMBER'] })
			.execute();
		const admin = await auth.administrator();
		const { status, data } = await send<Erasure>('POST', '/erasure', admin.accessToken, {
			email: admin.email,
		});
		expect([status, data.code]).toEqual([409, 'LAST_ADMINISTRATOR']);
	});
});
