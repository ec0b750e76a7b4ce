import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { MutualTls } from '@paddock/discovery';
import {
	createTestAuthority,
	createTestIdentity,
	eventually,
	replaceCertificate,
	respondWithEnvelope,
	type TestAuthority,
	type TestIdentity,
} from '@paddock/testing';
import { describeWithPrograms } from '../../libs/testing/src/describe-with-programs.ts';
import { scrapeTargets } from '../src/operations/scrape-targets.ts';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
const path = '/api/horses';

describeWithPrograms(['openssl'], 'a gateway with mutual TLS', () => {
	let directory = '';
	let authority: TestAuthority;
	let identity: TestIdentity;
	let auth = '';

	beforeAll(async () => {
		directory = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
		authority = createTestAuthority(directory);
		identity = await createTestIdentity();
	});
	afterAll(() => rmSync(directory, { recursive: true, force: true }));
	beforeEach(async () => {
		auth = await serve('auth-service', (req, res) => {
			if (req.url?.startsWith('/.well-known/') === true) res.end(JSON.stringify(identity.jwks));
			else respondWithEnvelope(res, 200, { items: [], next: '0', more: false });
		});
	});

	/** @returns the URL of a server with the certificate of a service */
	async function serve(name: string, listener: RequestListener, tls?: MutualTls): Promise<string> {
		const server = await authority.serve(name, listener, tls);
		bench.closing(server.close);
		return server.url;
	}

	async function start(horses: string, given?: MutualTls) {
		const tls = given ?? (await authority.open('gateway'));
		bench.closing(tls.close);
		const gateway = await bench.start({
			services: { 'auth-service': [auth], 'horses-service': [horses] },
			...{ identity, tls, settings: { HEALTH_TIMEOUT_MS: '5000' } },
		});
		await eventually('keys and revocations of auth', () => gateway.opened.deps.operations.ready());
		return gateway;
	}

	const healthOf = async (gateway: BenchGateway) =>
		(await gateway.send({ path: '/actuator/health' })).json().data['components']?.['horses' as never];

	const echo: RequestListener = async (req, res) => {
		res.end(JSON.stringify({ method: req.method, body: await text(req) }));
	};

	test('forwards GET, POST and a body in chunks, and refuses no kept-alive connection', async () => {
		const gateway = await start(await serve('horses-service', echo));
		const send = async (method: string, body?: string | string[]) =>
			JSON.parse((await gateway.send({ method, path, ...(body === undefined ? {} : { body }) })).body);
		for (let round = 0; round < 3; round += 1) {
			expect(await send('GET')).toEqual({ method: 'GET', body: '' });
			expect(await send('POST', '{"a":1}')).toEqual({ method: 'POST', body: '{"a":1}' });
			expect(await send('POST', ['{"a"', ':2}'])).toEqual({ method: 'POST', body: '{"a":2}' });
		}
	});

	test('streams a response while the service still sends it', async () => {
		let finish = () => {};
		const horses = await serve('horses-service', (_req, res) => {
			res.write('first');
			finish = () => res.end(' last');
		});
		const gateway = await start(horses);
		const response = await fetch(`${gateway.url}${path}`, {
			headers: { authorization: `Bearer ${identity.sign()}` },
		});
		const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
		expect((await reader?.read())?.value).toBe('first');
		finish();
		expect((await reader?.read())?.value).toBe(' last');
	});

	// The side that notices its files last has connections with its former certificate, which nobody else ends.
	test.each([
		['the service', 'the gateway'],
		['the gateway', 'the service'],
	])(
		'fails no request and sends no POST twice while the authority and the certificates of %s, then of %s, are replaced',
		async (...order) => {
			const [ofHorses, ofGateway] = [authority.issue('horses-service'), authority.issue('gateway')];
			const horsesTls = await authority.open('horses-service', ofHorses);
			const gatewayTls = await authority.open('gateway', ofGateway);
			const issuers: string[] = [];
			const sentKeys: string[] = [];
			const servedKeys: string[] = [];
			const horses = await serve(
				'horses-service',
				async (req, res) => {
					await text(req);
					servedKeys.push(...[req.headers['idempotency-key'] ?? []].flat());
					const socket = req.socket as TLSSocket;
					const [own, peer] = [socket.getCertificate(), socket.getPeerCertificate()] as PeerCertificate[];
					issuers.push(`${own?.issuer.CN} ${peer?.issuer.CN}`);
					res.end('{}');
				},
				horsesTls,
			);
			const gateway = await start(horses, gatewayTls);
			const other = createTestAuthority(mkdtempSync(join(directory, 'other-')), 'other');
			const bundle = join(directory, 'bundle.pem');
			writeFileSync(bundle, readFileSync(authority.ca, 'utf8') + readFileSync(other.ca, 'utf8'));
			const clients = Array.from({ length: 4 }, (): number[] => []);
			let stopped = false;
			const loops = clients.map(async (statuses) => {
				while (!stopped) {
					statuses.push((await gateway.send({ path })).status);
					const key = randomUUID();
					sentKeys.push(key);
					const post = { method: 'POST', path, body: '{"a":1}', headers: { 'Idempotency-Key': key } };
					statuses.push((await gateway.send(post)).status);
				}
			});
			/** Those in flight before have ended then. */
			const requests = () => {
				const before = clients.map(({ length }) => length);
				return eventually('further requests of each client', () =>
					clients.every(({ length }, at) => length > (before[at] ?? 0) + 10),
				);
			};
			const sides = {
				'the service': { tls: horsesTls, files: ofHorses, next: other.issue('horses-service') },
				'the gateway': { tls: gatewayTls, files: ofGateway, next: other.issue('gateway') },
			};
			try {
				await requests();
				const both = readFileSync(bundle, 'utf8');
				for (const { files } of Object.values(sides)) writeFileSync(files.ca, both);
				await eventually('both trust the other authority', () =>
					Object.values(sides).every(({ tls }) => tls.server().ca === both),
				);
				for (const name of order) {
					const { tls, files, next } = sides[name as keyof typeof sides];
					const cert = readFileSync(next.cert, 'utf8');
					replaceCertificate(files, { ...next, ca: bundle });
					await eventually(`${name} has its certificate`, () => tls.server().cert === cert);
					await requests();
					if (name === 'the gateway') issuers.splice(0);
				}
				await eventually('a connection with both new certificates', () => issuers.includes('other other'));
				await requests();
			} finally {
				stopped = true;
				await Promise.all(loops);
			}
			expect(clients.flat().filter((status) => status !== 200)).toEqual([]);
			expect(servedKeys.sort()).toEqual(sentKeys.sort());
			// Since the gateway had its new one.
			expect(issuers.filter((each) => !each.endsWith(' other'))).toEqual([]);
		},
	);

	test('sends nothing to a process with the certificate of another service, and reports it as down', async () => {
		let requests = 0;
		const horses = await serve('ping-service', (_req, res) => {
			requests += 1;
			res.end('{}');
		});
		const gateway = await start(horses);
		const refused = await gateway.send({ method: 'POST', path, body: '{}' });
		expect([refused.status, refused.json().data['code']]).toEqual([502, 'UPSTREAM_ERROR']);
		expect(await healthOf(gateway)).toMatchObject({ status: 'DOWN' });
		expect(requests).toBe(0);
	});

	test('probes instances over TLS, and scrape targets have the scheme https', async () => {
		const gateway = await start(await serve('horses-service', echo));
		expect(await healthOf(gateway)).toMatchObject({ status: 'UP' });
		const { operations } = gateway.opened.deps;
		const targets = scrapeTargets(operations, '/actuator');
		expect(targets.map(({ labels }) => labels['__scheme__'])).toEqual(['https', 'https']);
	});
});
