import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database, inTransaction } from '@paddock/database';
import { type Jobs, on, openJobs } from '@paddock/jobs';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import {
	type ChildService,
	createTestDatabase,
	eventually,
	freePort,
	type MailServer,
	migratedTemplate,
	startChildService,
	startMailServer,
	type TestDatabase,
} from '@paddock/testing';
import { describeLong } from '../../../tests/endurance/describe-long.ts';
import type { AuthSchema } from '../src/database-schema.ts';
import { mailQueue } from '../src/mails/mail-queue.ts';
import { migrations } from '../src/migrations.ts';
import { accountRow } from './account-row.ts';

const mailCount = 1_000;
const kills = 20;

describeLong(process.env, '1,000 mails while the process that sends them is killed 20 times', () => {
	let server: MailServer;
	let database: TestDatabase;
	let db: Database<AuthSchema>;
	let jobs: Jobs<AuthSchema>;
	let auth: ChildService | undefined;

	beforeAll(async () => {
		server = await startMailServer();
		database = await createTestDatabase(migratedTemplate('auth', migrations));
		db = createDatabase<AuthSchema>({ url: database.url, applicationName: 'test', logger: silentLogger() });
		const metrics = createMetrics({ prefix: 'service', service: 'test' });
		// Adds jobs only; the process sends them.
		jobs = await openJobs({ db, handlers: [on(mailQueue, async () => {})], logger: silentLogger(), metrics });
	}, 60_000);
	afterAll(async () => {
		await auth?.kill();
		await jobs.close();
		await db.destroy();
		await database.drop();
		await server.stop();
	});

	const start = async (port: number) => {
		auth = await startChildService({
			main: 'services/auth/src/main.ts',
			port,
			env: {
				DATABASE_URL: database.url,
				SMTP_URL: server.url,
				JOB_POLL_MS: '500',
				PASSWORD_HASH_MEMORY_KIB: '64',
				PASSWORD_HASH_PASSES: '1',
			},
			readyPath: '/health',
		});
		return auth;
	};

	test('each is sent at least once, none is lost, and those sent twice have one Message-ID', async () => {
		const addresses = await addMails();
		// Slow enough that each kill finds mails in the middle of their transmission.
		server.behaviour = () => ({ waitFor: new Promise((resolve) => void setTimeout(resolve, 20)) });
		const port = await freePort();
		for (let kill = 0; kill < kills; kill += 1) {
			const running = await start(port);
			const before = server.received.length;
			const wanted = Math.min(before + 15, mailCount);
			await eventually('it sends', () => server.received.length >= wanted, 120_000);
			await running.kill();
		}
		await start(port);
		const missing = () => addresses.filter((address) => server.to(address).length === 0);
		await eventually('all have arrived', () => missing().length === 0, 400_000);
		const twice = addresses.filter((address) => server.to(address).length > 1);
		for (const address of twice)
			expect(new Set(server.to(address).map(({ messageId }) => messageId)).size).toBe(1);
		expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(mailCount);
		process.stdout.write(
			`${mailCount} mails, ${kills} kills: ${twice.length} sent more than once, none lost\n`,
		);
	}, 900_000);

	async function addMails(): Promise<readonly string[]> {
		const addresses = Array.from({ length: mailCount }, (_, index) => `rider-${index}@example.org`);
		await db
			.insertInto('users')
			.values(addresses.map((email) => accountRow(email)))
			.execute();
		const users = await db.selectFrom('users').select('id').execute();
		const content = {
			name: 'test',
			category: 'ENTRIES',
			canBeSwitchedOff: true,
			de: { subject: 'Nennung', parts: ['Angenommen.'] },
			en: { subject: 'Entry', parts: ['Accepted.'] },
		};
		await inTransaction(db, async (transaction) => {
			for (const { id: userId } of users) {
				const id = randomUUID();
				await jobs.enqueue(transaction, mailQueue, { id, userId, content }, { id });
			}
		});
		return addresses;
	}
});
