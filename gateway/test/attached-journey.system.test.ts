import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Role } from '@paddock/identity';
import {
	type ConsulAgent,
	createTestIdentity,
	describeWithConsul,
	describeWithPrograms,
	eventually,
	type Program,
	recordingUpstream,
	startConsulAgent,
	startProgram,
	type TestIdentity,
	type TestUpstream,
} from '@paddock/testing';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { type StandInAuth, standInAuth } from './stand-in-auth.ts';

const examples = fileURLToPath(new URL('../../docs/examples/attached/', import.meta.url));
const userId = randomUUID();
const workers = 2;

interface Data {
	readonly [key: string]: unknown;
}

// docs/attach-a-service.md describes the same steps.
describeWithConsul('the examples of docs/attach-a-service.md', () => {
	describeWithPrograms(['python3'], `with a gateway of ${workers} workers under load`, () => {
		let identity: TestIdentity;
		let auth: StandInAuth;
		let ping: TestUpstream;
		let consul: ConsulAgent;
		let gateway: GatewayProcess;
		let folder: string;
		let load: Load;
		const programs: Program[] = [];

		beforeAll(async () => {
			folder = await mkdtemp(join(tmpdir(), 'paddock-journey-'));
			await writeFile(join(folder, 'contexts.yaml'), '[]');
			await copyFile(join(examples, 'farriers.openapi.json'), join(folder, 'contract.json'));
			identity = await createTestIdentity();
			[auth, ping, consul] = await Promise.all([
				standInAuth(identity.jwks),
				recordingUpstream(),
				startConsulAgent(),
			]);
			await register('auth-service', new URL(auth.url).port);
			await register('ping-service', String(ping.port));
			gateway = await startGatewayProcess({
				...{ DISCOVERY: 'consul', CONSUL_HTTP_ADDR: consul.address, WORKERS: String(workers) },
				...{
					CONTEXTS: 'auth,ping',
					CONTEXTS_FILE: join(folder, 'contexts.yaml'),
					CONTRACT_REFRESH_MS: '1000',
				},
				...{ BREAKER_OPEN_MS: '1000', BREAKER_VOLUME: '3', HEALTH_WATCH_MS: '500', HEALTH_SHARED_MS: '100' },
				...{ RATE_LIMIT_ANONYMOUS: '0', RATE_LIMIT_USER: '0', LAST_KNOWN_DIR: join(folder, 'known') },
			});
			await eventually('ping is routed', async () => (await get('/api/ping')).status === 200);
			load = startLoad(`http://127.0.0.1:${gateway.port}`, identity.sign({ userId }));
		}, 60_000);
		afterAll(async () => {
			for (const program of programs) await program.stop();
			await load.stop();
			await gateway.stop();
			await consul.stop();
			await Promise.all([auth.close(), ping.close()]);
			await rm(folder, { recursive: true });
		}, 30_000);

		const register = (name: string, port: string) =>
			fetch(`http://${consul.address}/v1/agent/service/register`, {
				method: 'PUT',
				body: JSON.stringify({ ID: `${name}-${port}`, Name: name, Address: '127.0.0.1', Port: Number(port) }),
			});
		// Each request on a connection of its own, so that all workers get some.
		const get = (path: string, roles?: Role[], body?: unknown) =>
			fetch(`http://127.0.0.1:${gateway.port}${path}`, {
				method: body === undefined ? 'GET' : 'POST',
				headers: {
					Connection: 'close',
					...(roles && { Authorization: `Bearer ${identity.sign({ userId, roles })}` }),
					...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
				},
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			});
		const json = async (response: Promise<Response>) => (await (await response).json()) as { data: Data };
		const codeOf = async (response: Promise<Response>) => (await json(response)).data['code'];
		const healthOf = async (name: string) => (await json(get(`/actuator/health/${name}`))).data;
		const inAllWorkers = (path: string, status: number, roles?: Role[]) =>
			eventually(`${path} is ${status} in all workers`, async () => {
				const responses = await Promise.all(
					Array.from({ length: 8 * workers }, () => get(path, roles).catch(() => undefined)),
				);
				return responses.every((response) => response?.status === status);
			});
		const start = async (command: readonly [string, ...string[]], env: Record<string, string>) => {
			let program: Program | undefined;
			program = await startProgram({
				command,
				env: { PATH: process.env['PATH'], ...env },
				ready: () => program?.output().includes('http://') ?? true,
			});
			programs.push(program);
			await eventually('it listens', () => /http:\/\/127\.0\.0\.1:\d+/.test(program.output()));
			return { program, port: /:(\d+)\s/.exec(program.output())?.[1] ?? '' };
		};
		const startFarriers = (env: Record<string, string> = {}) =>
			start(['python3', join(examples, 'farriers.py')], {
				...{ CONSUL_HTTP_ADDR: consul.address, CONTRACT: join(folder, 'contract.json'), ...env },
			});
		const replace = async (name: string, content: string) => {
			await writeFile(join(folder, `${name}.new`), content);
			await rename(join(folder, `${name}.new`), join(folder, name));
		};

		test('services are attached, used, changed and detached while others are served without a failure', async () => {
			const clocks = await start([process.execPath, join(examples, 'clocks.mjs')], {
				GATEWAY: `http://127.0.0.1:${gateway.port}`,
			});
			await register('clocks', clocks.port);
			expect((await get('/api/farriers')).status).toBe(404);

			// Attached: by a changed file, first without the service.
			const contexts = await readFile(join(examples, 'contexts.yaml'), 'utf8');
			const clocksContract = pathToFileURL(join(examples, 'clocks.openapi.yaml')).href;
			await replace('contexts.yaml', contexts.replace('clocks.openapi.yaml', clocksContract));
			await inAllWorkers('/api/farriers', 503);
			expect(await codeOf(get('/api/farriers'))).toBe('CONTRACT_UNAVAILABLE');
			const farriers = await startFarriers();
			await inAllWorkers('/api/farriers', 200);

			// 401, 200, 400, 403; wrapped and kept bodies.
			await inAllWorkers('/api/farriers/Eisenhut', 401);
			expect(await json(get('/api/farriers'))).toMatchObject({
				success: true,
				data: [{ name: 'Eisenhut', district: 'Salzburg' }],
				message: 'OK',
			});
			expect((await json(get('/api/farriers/Eisenhut', ['MEMBER']))).data).toMatchObject({ seenBy: userId });
			const missing = await get('/api/farriers/Nobody', ['MEMBER']);
			expect([missing.status, await missing.json()]).toMatchObject([
				404,
				{
					success: false,
					data: { status: 404, requestId: expect.any(String) },
					message: 'No farrier is named Nobody.',
				},
			]);
			expect((await get('/api/farriers', ['MEMBER'], {})).status).toBe(403);
			const invalid = { name: 'X', district: 'Mars', colour: 'red' };
			const { data } = await json(get('/api/farriers', ['ORGANISER'], invalid));
			expect(data).toMatchObject({ code: 'VALIDATION_ERROR', status: 400 });
			expect((data['errors'] as Data[]).map(({ field }) => field).sort()).toEqual([
				'colour',
				'district',
				'name',
			]);
			expect((await get('/api/farriers?district=Mars')).status).toBe(400);
			const added = await get('/api/farriers', ['ORGANISER'], { name: 'Hufnagl', district: 'Wien' });
			expect([added.status, await added.json()]).toMatchObject([
				201,
				{ success: true, data: { name: 'Hufnagl' } },
			]);
			await inAllWorkers('/api/clocks/main', 200, ['MEMBER']);
			expect(await json(get('/api/clocks/main', ['MEMBER']))).toMatchObject({ arena: 'main', user: userId });

			// Killed, breaker, back. Consul stands still meanwhile: it may remove the instance before any request has failed.
			consul.signal('SIGSTOP');
			try {
				await farriers.program.kill();
				await eventually('its breaker opens', async () => {
					await Promise.all(Array.from({ length: 10 }, () => get('/api/farriers')));
					const { instances = [] } = (await healthOf('farriers')) as {
						instances?: { breaker: { state: string } }[];
					};
					return instances.some(({ breaker }) => breaker.state === 'OPEN');
				});
			} finally {
				consul.signal('SIGCONT');
			}
			await inAllWorkers('/api/farriers', 503);
			const again = await startFarriers({ PORT: farriers.port });
			await inAllWorkers('/api/farriers', 200);

			// Its contract changes, then turns bad.
			const contract = JSON.parse(await readFile(join(folder, 'contract.json'), 'utf8'));
			contract.paths['/api/farriers/{name}'].get.security = [];
			await replace('contract.json', JSON.stringify(contract));
			await inAllWorkers('/api/farriers/Eisenhut', 200);
			contract.paths['/api/ping'] = { get: { security: [] } };
			await replace('contract.json', JSON.stringify(contract));
			await eventually(
				'health says so',
				async () => (await healthOf('farriers'))['reason'] === 'CONTRACT_PROBLEM',
			);
			await inAllWorkers('/api/farriers/Eisenhut', 200);

			// A worker that starts now has the same contexts.
			const listening = () =>
				gateway
					.stdout()
					.split('\n')
					.filter((line) => line.includes('"message":"worker listening"'))
					.map((line) => (JSON.parse(line) as { pid: number }).pid);
			const [worker] = listening();
			expect(worker).toBeDefined();
			await load.pauseWhile(async () => {
				process.kill(worker ?? 0, 'SIGKILL');
				await eventually(
					'it is replaced',
					async () => {
						// The connection to the killed process is reset.
						const { workers: state } = (await healthOf('gateway').catch(() => ({}))) as {
							workers?: { ready: number };
						};
						return listening().length > workers && state?.ready === workers;
					},
					20_000,
				);
			});
			await inAllWorkers('/api/farriers/Eisenhut', 200);

			// The service is gone, then detached.
			await again.program.stop();
			await inAllWorkers('/api/farriers', 503);
			await replace('contexts.yaml', '- {');
			await eventually('an invalid file is reported', async () => {
				const { file } = (await json(get('/actuator/contexts'))).data as { file: { problems: string[] } };
				return file.problems.length > 0;
			});
			await inAllWorkers('/api/clocks/main', 200, ['MEMBER']);
			await writeFile(join(folder, 'contexts.yaml'), '[]');
			gateway.child.kill('SIGHUP');
			await inAllWorkers('/api/farriers', 404);
			await inAllWorkers('/api/clocks/main', 404);

			const { sent, failures } = await load.stop();
			expect(failures).toEqual([]);
			expect(sent).toBeGreaterThan(200);
		}, 150_000);
	});
});

interface Load {
	/** Without requests in flight meanwhile: those of a process that is killed fail. */
	pauseWhile(action: () => Promise<void>): Promise<void>;
	stop(): Promise<{ readonly sent: number; readonly failures: readonly string[] }>;
}

/** Requests to another context and to the gateway's pages, one after the other in several loops. */
function startLoad(origin: string, token: string): Load {
	let isOver = false;
	let isPaused = false;
	let sent = 0;
	const failures: string[] = [];
	// Connections that are kept open would be those of the process that is killed.
	const headers = { Authorization: `Bearer ${token}`, Connection: 'close' };
	const loops: Promise<void>[] = [];
	const loop = async (path: string) => {
		while (!isOver && !isPaused) {
			sent += 1;
			try {
				const response = await fetch(origin + path, { headers });
				await response.arrayBuffer();
				if (response.status !== 200) failures.push(`${path} ${response.status}`);
			} catch (error) {
				failures.push(`${path} ${String(error)} ${String((error as Error).cause)}`);
			}
		}
	};
	const begin = () => {
		isPaused = false;
		loops.push(...['/api/ping', '/api/ping', '/openapi.yaml'].map(loop));
	};
	begin();
	return {
		pauseWhile: async (action) => {
			isPaused = true;
			await Promise.all(loops);
			await action();
			begin();
		},
		stop: async () => {
			isOver = true;
			await Promise.all(loops);
			return { sent, failures };
		},
	};
}
