import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Agent, request } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, type SecureVersion } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type MutualTls, openMutualTls, openServiceAgents, serviceAgent } from '@paddock/discovery';
import { createMetrics, observeTls, silentLogger } from '@paddock/telemetry';
import {
	createTestAuthority,
	eventually,
	replaceCertificate,
	type TestAuthority,
	type TestCertificate,
} from '@paddock/testing';
import { describeWithPrograms } from '../../testing/src/describe-with-programs.ts';
import { type HttpServer, listen } from '../src/http/http-server.ts';

const pollMs = 20;

describeWithPrograms(['openssl'], 'mutual TLS', () => {
	let directory = '';
	let authority: TestAuthority;
	let other: TestAuthority;
	let members: TestCertificate;
	let gateway: TestCertificate;
	const closers: (() => unknown)[] = [];

	beforeAll(() => {
		directory = mkdtempSync(join(tmpdir(), 'mutual-tls-'));
		authority = createTestAuthority(directory);
		other = createTestAuthority(directory, 'other');
		members = authority.issue('members-service');
		gateway = authority.issue('gateway');
	});
	afterAll(() => rmSync(directory, { recursive: true, force: true }));
	afterEach(async () => {
		for (const close of closers.splice(0).reverse()) await close();
	});

	async function open(files: TestCertificate, name: string, logged: unknown[] = []): Promise<MutualTls> {
		const log = (message: unknown) => logged.push(message);
		const warn = (message: unknown, fields: unknown) => logged.push([message, fields]);
		const logger = Object.assign(silentLogger(), { error: log, info: log, warn });
		const tls = await openMutualTls({ files, name, logger, pollMs });
		closers.push(tls.close);
		return tls;
	}

	async function serve(tls: MutualTls | undefined): Promise<HttpServer> {
		const server = await listen({
			listener: (_req, res) => res.end('done'),
			...{ host: '127.0.0.1', port: 0, keepAliveTimeoutMs: 5_000, headersTimeoutMs: 2_000 },
			...{ requestTimeoutMs: 5_000, headerBytesMax: 16_384, now: () => new Date(), tls },
		});
		closers.push(() => server.close(1_000));
		return server;
	}

	function agentOf(tls: MutualTls | undefined, service = 'members-service'): Agent {
		const agent = serviceAgent(service, { keepAlive: true }, tls);
		closers.push(() => agent.destroy());
		return agent;
	}

	/** The body of the response, or the code of the error. */
	const get = (port: number, agent: Agent): Promise<string> =>
		new Promise((resolve) => {
			const sent = request({ host: '127.0.0.1', port, agent }, (response) => {
				response.setEncoding('utf8').on('data', resolve);
			});
			sent.once('error', (error) => resolve(String(Reflect.get(error, 'code')))).end();
		});

	test('a peer with a certificate of the authority gets a response, over a connection that stays open', async () => {
		const { port } = await serve(await open(members, 'members-service'));
		const agent = agentOf(await open(gateway, 'gateway'));
		expect([await get(port, agent), await get(port, agent)]).toEqual(['done', 'done']);
		expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
	});

	test.each<[string, string, () => { cert?: string; key?: string; maxVersion?: SecureVersion }]>([
		['no certificate', 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE', () => ({})],
		['a certificate of another authority', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', () => other.issue('gateway')],
		['TLS 1.2', 'ERR_SSL_UNSUPPORTED_PROTOCOL', () => ({ ...gateway, maxVersion: 'TLSv1.2' })],
	])('a client with %s is refused in the handshake, logged and counted', async (_name, reason, options) => {
		const logged: unknown[] = [];
		const tls = await open(members, 'members-service', logged);
		const { registry } = createMetrics({ prefix: 'service', service: 'members-service' });
		observeTls(registry, tls);
		const { port, server } = await serve(tls);
		let accepted = 0;
		server.on('secureConnection', () => {
			accepted += 1;
		});
		const { cert, key, maxVersion } = options();
		const socket = connect({
			...{ host: '127.0.0.1', port, ca: readFileSync(authority.ca), servername: 'members-service' },
			...(cert === undefined || key === undefined
				? {}
				: { cert: readFileSync(cert), key: readFileSync(key) }),
			...(maxVersion === undefined ? {} : { maxVersion }),
		});
		socket.on('error', () => {}); // Some clients get an alert, others only the close.
		await new Promise((resolve) => socket.once('close', resolve).resume());
		expect(accepted).toBe(0);
		expect(logged).toEqual([['tls handshake refused', { peer: '127.0.0.1', reason }]]);
		const counted = await registry.getSingleMetric('process_tls_handshakes_failed_total')?.get();
		expect(counted?.values).toMatchObject([{ labels: { reason }, value: 1 }]);
	});

	test('plain HTTP is refused, and the server continues', async () => {
		const { port } = await serve(await open(members, 'members-service'));
		expect(await get(port, agentOf(undefined))).toBe('ECONNRESET');
		expect(await get(port, agentOf(await open(gateway, 'gateway')))).toBe('done');
	});

	test('a server is refused if it has another name, another authority or no TLS', async () => {
		const tls = await open(gateway, 'gateway');
		const ping = await serve(await open(authority.issue('ping-service'), 'ping-service'));
		expect(await get(ping.port, agentOf(tls))).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
		expect(await get(ping.port, agentOf(tls, 'ping-service'))).toBe('done');
		const foreign = await serve(await open(other.issue('members-service'), 'members-service'));
		expect(await get(foreign.port, agentOf(tls))).toBe('SELF_SIGNED_CERT_IN_CHAIN');
		expect(await get((await serve(undefined)).port, agentOf(tls))).toBe('EPROTO');
	});

	test('a server is refused if only its subject has the name', async () => {
		const { cert, key } = authority.issueWith('members-service');
		const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (_req, res) =>
			res.end('done'),
		);
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		closers.push(() => server.close());
		const agent = agentOf(await open(gateway, 'gateway'));
		expect(await get((server.address() as AddressInfo).port, agent)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
	});

	test('a connection whose handshake began before a replacement is closed after its response', async () => {
		const files = authority.issue('members-service');
		const next = authority.issue('members-service');
		const [tls, client] = [await open(files, 'members-service'), await open(gateway, 'gateway')];
		const { port, server } = await serve(tls);
		const socket = connectPlain(port, '127.0.0.1');
		await once(server, 'connection');
		const changed = new Promise<void>((resolve) => tls.onChange(resolve));
		replaceCertificate(files, next);
		await changed;
		const secured = connect({ ...client.client('members-service'), socket });
		secured.write('GET / HTTP/1.1\r\nHost: members\r\n\r\n');
		expect(await text(secured)).toMatch(/^Connection: close\r$/m);
	});

	test('certificates and the authority are rotated under load without a failed GET', async () => {
		const files = [authority.issue('members-service'), authority.issue('gateway')] as const;
		const [ofMembers, ofGateway] = [await open(files[0], 'members-service'), await open(files[1], 'gateway')];
		const { port } = await serve(ofMembers);
		const agents = openServiceAgents({ keepAlive: true }, ofGateway);
		closers.push(agents.close);
		const agent = () => agents.of('members-service');
		let changes = 0;
		for (const tls of [ofMembers, ofGateway]) {
			tls.onChange(() => {
				changes += 1;
			});
		}
		const bundle = join(directory, 'bundle.pem');
		writeFileSync(bundle, readFileSync(authority.ca, 'utf8') + readFileSync(other.ca, 'utf8'));
		const [newMembers, newGateway] = [other.issue('members-service'), other.issue('gateway')];
		const results: string[] = [];
		let stopped = false;
		const clients = Array.from({ length: 4 }, async () => {
			while (!stopped) results.push(await get(port, agent()));
		});
		const stages = [
			[
				{ ...members, ca: bundle },
				{ ...gateway, ca: bundle },
			],
			[
				{ ...newMembers, ca: bundle },
				{ ...newGateway, ca: bundle },
			],
			[newMembers, newGateway],
		] as const;
		try {
			for (const [at, [first, second]] of stages.entries()) {
				replaceCertificate(files[0], first);
				replaceCertificate(files[1], second);
				await eventually(`stage ${at + 1}`, () => changes === 2 * (at + 1));
				const before = results.length;
				await eventually('requests with the new files', () => results.length > before + 50);
			}
		} finally {
			stopped = true;
			await Promise.all(clients);
		}
		expect(results.filter((result) => result !== 'done')).toEqual([]);
		// Neither new nor kept-alive connections are those of the former authority.
		expect(await get(port, agentOf(await open(gateway, 'gateway')))).toBe('SELF_SIGNED_CERT_IN_CHAIN');
		for (const socket of Object.values(agent().freeSockets).flat())
			expect(Reflect.get(socket ?? {}, 'getPeerCertificate').call(socket).issuer.CN).toBe('other');
	});

	test('replaced files that are not usable are logged, and the former ones stay in use', async () => {
		const files = authority.issue('members-service');
		const logged: unknown[] = [];
		const tls = await open(files, 'members-service', logged);
		const { port } = await serve(tls);
		const agent = agentOf(await open(gateway, 'gateway'));
		const before = tls.expiresAt();
		const broken: [string, () => void][] = [
			['a key of another certificate', () => copyFileSync(gateway.key, files.key)],
			['half a file', () => writeFileSync(files.cert, readFileSync(members.cert, 'utf8').slice(0, 300))],
			['a certificate of another name', () => replaceCertificate(files, gateway)],
			['a certificate of another authority', () => replaceCertificate(files, { ...members, ca: other.ca })],
			['no file', () => rmSync(files.ca)],
		];
		for (const [at, [name, breakIt]] of broken.entries()) {
			breakIt();
			await eventually(`the log entry about ${name}`, () => logged.length === at + 1);
			agent.destroy();
			expect([name, await get(port, agent)]).toEqual([name, 'done']);
		}
		expect(new Set(logged)).toEqual(new Set(['replaced tls files not usable, the former ones stay in use']));
		expect(tls.expiresAt()).toEqual(before);
		replaceCertificate(files, authority.issue('members-service'));
		await eventually('usable files', () => logged.at(-1) === 'tls files replaced');
	});
});
