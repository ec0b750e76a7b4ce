import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createTestAuthority, eventually, freePort, startConsulAgent } from '@paddock/testing';
import { describeWithPrograms } from '../../libs/testing/src/describe-with-programs.ts';
import { startSystem } from '../system.ts';

interface Check {
	Status: string;
	Output: string;
}

/** The status of a response, or the code of the error. */
const resultOf = (url: string, options: RequestOptions): Promise<unknown> =>
	new Promise((resolve) => {
		get(url, { ...options, agent: false, checkServerIdentity: () => undefined }, (response) => {
			response.resume();
			resolve(response.statusCode);
		}).once('error', (error) => resolve(Reflect.get(error, 'code')));
	});

describeWithPrograms(['consul', 'openssl'], 'a system with mutual TLS and Consul', () => {
	test('is found and checked by Consul, and serves GET and POST', async () => {
		const directory = mkdtempSync(join(tmpdir(), 'system-tls-'));
		const authority = createTestAuthority(directory);
		const agent = authority.issue('consul');
		const consul = await startConsulAgent({
			configuration: [
				'enable_agent_tls_for_checks = true',
				...Object.entries(agent).map(([name, path]) => `${name}_file = "${path}"`),
			].join('\n'),
		});
		const opsPort = await freePort();
		const system = await startSystem({
			contexts: ['auth', 'ping'],
			consulAddress: consul.address,
			tls: (name) => authority.issue(name),
			gateway: { OPS_PORT: String(opsPort) },
		});
		try {
			await eventually('Consul has checked all three', async () => {
				// The agent does not sync an output to the catalogue while the status is unchanged.
				const response = await fetch(`http://${consul.address}/v1/agent/checks`);
				const checks = Object.values((await response.json()) as Record<string, Check>);
				const passed = checks.filter(({ Output }) => /GET https:.*200 OK/.test(Output));
				return passed.filter(({ Status }) => Status === 'passing').length === 3;
			});
			expect((await fetch(`${system.gateway.url}/api/ping`)).status).toBe(200);
			expect(await system.signIn()).toMatch(/^ey/);
			const url = `https://127.0.0.1:${opsPort}/actuator/health/liveness`;
			const [cert, key, ca] = [agent.cert, agent.key, agent.ca].map((path) => readFileSync(path));
			expect(await resultOf(url, { cert, key, ca })).toBe(200);
			expect(await resultOf(url, { ca })).toMatch(/CERTIFICATE_REQUIRED|ECONNRESET/);
		} finally {
			await system.stop();
			await consul.stop();
			rmSync(directory, { recursive: true });
		}
	});
});
