import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestAuthority, freePorts, type TestAuthority, type TestCertificate } from '@paddock/testing';
import { describeWithPrograms } from '../../libs/testing/src/describe-with-programs.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';

interface View {
	readonly address: string;
	readonly responds: boolean;
	readonly breakers: readonly { readonly instance: string }[];
}

const ping = 'http://127.0.0.1:9';

describeWithPrograms(['openssl'], 'OPS_PORT of three gateways with TLS, one with another authority', () => {
	let directory = '';
	let authority: TestAuthority;
	let ports: number[];
	let gateways: GatewayProcess[];

	beforeAll(async () => {
		directory = mkdtempSync(join(tmpdir(), 'gateways-tls-'));
		authority = createTestAuthority(directory);
		const other = createTestAuthority(directory, 'other');
		ports = await freePorts(3);
		const instances = [...ports.map((port) => `gateway=http://127.0.0.1:${port}`), `ping-service=${ping}`];
		const start = (port: number, { cert, key, ca }: TestCertificate) =>
			startGatewayProcess({
				CONTEXTS: 'ping',
				OPS_PORT: String(port),
				SERVICE_INSTANCES: instances.join(','),
				...{ TLS_CERT: cert, TLS_KEY: key, TLS_CA: ca },
			});
		const certificates = [authority, authority, other].map((each) => each.issue('gateway'));
		gateways = await Promise.all(certificates.map((files, at) => start(ports[at] ?? 0, files)));
	});
	afterAll(async () => {
		await Promise.all(gateways.map((gateway) => gateway.stop()));
		rmSync(directory, { recursive: true });
	});

	/** The page as a gateway of the authority receives it. */
	function read(port: number, path: string): Promise<unknown> {
		const { cert, key, ca } = authority.issue('gateway');
		const files = { cert: readFileSync(cert), key: readFileSync(key), ca: readFileSync(ca) };
		return new Promise((resolve, reject) => {
			const options = { ...files, host: '127.0.0.1', port, path, servername: 'gateway', agent: false };
			get(options, (response) => resolve(json(response))).once('error', reject);
		});
	}

	test('each of the same authority has the view of the other, and none of the third', async () => {
		const [first = 0, second = 0, third = 0] = ports;
		for (const [at, peer] of [
			[first, second],
			[second, first],
		] as const) {
			const { data } = (await read(at, '/actuator/gateways')) as { data: { others: View[] } };
			const views = new Map(data.others.map((view) => [view.address, view]));
			expect(views.get(`127.0.0.1:${peer}`)).toMatchObject({
				responds: true,
				breakers: [{ instance: expect.any(String) }],
			});
			expect(views.get(`127.0.0.1:${third}`)).toMatchObject({ responds: false, breakers: [] });
			expect(views.size).toBe(2);
		}
		expect(gateways[2]?.stdout()).not.toContain('/actuator/breakers');
		await expect(read(third, '/actuator/gateways')).rejects.toThrow(/certificate/);
	});
});
