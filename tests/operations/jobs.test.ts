import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { on, openJobs } from '@paddock/jobs';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import { type ApiClient, createApiClient, eventually, openTestPool } from '@paddock/testing';
import { mailQueue } from '../../services/auth/src/mails/mail-queue.ts';
import { type System, startSystem } from '../system.ts';

let system: System;
let api: ApiClient;

beforeAll(async () => {
	system = await startSystem({ contexts: ['auth', 'ping'], services: { JOB_POLL_MS: '500' } });
	api = createApiClient(system.gateway.url);
}, 60_000);

afterAll(async () => {
	await system?.stop();
});

interface ContextJobs {
	readonly context: string;
	readonly responds: boolean;
	readonly deadLetters: readonly { readonly id: string; readonly queue: string; readonly error: string }[];
}

/** A mail of a version that this one does not know, which becomes a dead letter. */
async function enqueueUnknownMail(): Promise<void> {
	const db = openTestPool<never>(system.databaseUrls.get('auth') ?? '');
	const metrics = createMetrics({ prefix: 'service', service: 'test' });
	const jobs = await openJobs({
		db,
		handlers: [on(mailQueue, async () => {})],
		logger: silentLogger(),
		metrics,
	});
	await jobs.enqueue(db, mailQueue, {
		id: randomUUID(),
		mail: 'of-tomorrow',
		request: { email: 'a@example.org' },
	});
	await jobs.close();
	await db.destroy();
}

test('an administrator sees, retries and drops jobs that have failed for good; nobody else does', async () => {
	const token = await system.signIn();
	const list = async () => {
		const { status, data } = await api<readonly ContextJobs[]>('GET', '/actuator/jobs', { token });
		expect(status).toBe(200);
		return data;
	};
	const [auth, ...others] = await list();
	expect([auth?.context, auth?.responds, others]).toEqual(['auth', true, []]);
	await enqueueUnknownMail();
	const dead = async () => (await list())[0]?.deadLetters ?? [];
	await eventually('it is a dead letter', async () => (await dead()).length === 1);
	const [first] = await dead();
	expect(first).toMatchObject({ queue: 'mails', error: 'There is no mail of-tomorrow in this version.' });
	expect(JSON.stringify(await list())).not.toContain('a@example.org');

	const path = `/actuator/jobs/auth/${first?.id}`;
	const person = { email: 'rosa@example.org', password: 'a canter around the meadow', lastName: 'Weiss' };
	await api('POST', '/auth/register', { body: person });
	const member = await system.signIn(person.email, person.password);
	for (const [method, at] of [
		['GET', '/actuator/jobs'],
		['POST', `${path}/retry`],
		['DELETE', path],
	] as const) {
		expect((await api(method, at)).status).toBe(401);
		expect((await api(method, at, { token: member })).status).toBe(403);
	}

	expect((await api('POST', `${path}/retry`, { token })).status).toBe(200);
	await eventually('it has failed again', async () => {
		const [again] = await dead();
		return again !== undefined && again.id !== first?.id;
	});
	const [second] = await dead();
	expect((await api('DELETE', `/actuator/jobs/auth/${second?.id}`, { token })).status).toBe(200);
	expect(await dead()).toEqual([]);
	expect((await api('DELETE', path, { token })).status).toBe(404);
	expect((await api('DELETE', path.replace('/auth/', '/nothing/'), { token })).status).toBe(404);
}, 60_000);
