import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import {
	compileCache,
	createTestAuthority,
	describeWithPrograms,
	type TestCertificate,
} from '@paddock/testing';

const script = join(import.meta.dirname, '../../scripts/health-check.ts');

describeWithPrograms(['openssl'], 'the health check of a container with TLS', () => {
	test('fails without a 2xx, but not for files that the process refuses', async () => {
		const directory = mkdtempSync(join(tmpdir(), 'health-check-'));
		const authority = createTestAuthority(directory);
		let status = 200;
		const server = await authority.serve('ping-service', (_req, res) => res.writeHead(status).end());
		const url = server.url.replace('http:', 'https:');
		const check = ({ cert, key, ca }: TestCertificate) =>
			promisify(execFile)(process.execPath, [script, url], {
				env: { ...compileCache, TLS_CERT: cert, TLS_KEY: key, TLS_CA: ca },
			});
		const own = authority.issue('ping-service');
		const foreign = createTestAuthority(directory, 'other').issue('ping-service');
		try {
			expect((await check(own)).stderr).toBe('');
			expect((await check(foreign)).stderr).not.toBe('');
			expect((await check({ ...own, key: foreign.key })).stderr).toContain('key values mismatch');
			status = 503;
			await expect(check(own)).rejects.toMatchObject({ code: 1, stderr: 'status 503\n' });
			await server.close();
			await expect(check(own)).rejects.toMatchObject({ code: 1 });
		} finally {
			await server.close();
			rmSync(directory, { recursive: true });
		}
	});
});
