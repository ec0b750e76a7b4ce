import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createTestAuthority } from '@paddock/testing';
import { describeWithPrograms } from '../../testing/src/describe-with-programs.ts';
import { anna, openBench, respondWithData } from './peer-bench.ts';

describeWithPrograms(['openssl'], 'calls between services with mutual TLS', () => {
	test('reach an instance with the name of the called service, and no other', async () => {
		const directory = mkdtempSync(join(tmpdir(), 'peers-tls-'));
		const authority = createTestAuthority(directory);
		let requests = 0;
		const [members, ping] = await Promise.all(
			['members-service', 'ping-service'].map((name) =>
				authority.serve(name, (req, res) => {
					requests += 1;
					respondWithData(anna)(req, res);
				}),
			),
		);
		const tls = await authority.open('events-service');
		const bench = openBench({ tls });
		try {
			bench.registry.set('members-service', [members?.url ?? '']);
			expect(await bench.call()).toEqual(anna);
			bench.registry.set('members-service', [ping?.url ?? '']);
			await expect(bench.call()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
			expect(requests).toBe(1);
		} finally {
			await bench.close();
			tls.close();
			await Promise.all([members?.close(), ping?.close()]);
			rmSync(directory, { recursive: true });
		}
	});
});
