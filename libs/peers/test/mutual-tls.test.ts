import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect, test } from '@jest/globals';
import { createTestAuthority, eventually, replaceCertificate } from '@paddock/testing';
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

	test('use no connection with a former certificate, and close the idle ones', async () => {
		const directory = mkdtempSync(join(tmpdir(), 'peers-tls-'));
		const authority = createTestAuthority(directory);
		const serialNumbers: string[] = [];
		let closed = 0;
		const members = await authority.serve('members-service', (req, res) => {
			const socket = req.socket as TLSSocket;
			serialNumbers.push(socket.getPeerCertificate().serialNumber);
			socket.once('close', () => {
				closed += 1;
			});
			respondWithData(anna)(req, res);
		});
		const [files, next] = [authority.issue('events-service'), authority.issue('events-service')];
		const tls = await authority.open('events-service', files);
		const bench = openBench({ tls });
		try {
			bench.registry.set('members-service', [members.url]);
			expect(await bench.call()).toEqual(anna);
			replaceCertificate(files, next);
			const cert = readFileSync(next.cert, 'utf8');
			await eventually('the replaced files are used', () => tls.server().cert === cert);
			expect(await bench.call()).toEqual(anna);
			expect(new Set(serialNumbers).size).toBe(2);
			await eventually('the former connection is closed', () => closed === 1);
		} finally {
			await bench.close();
			tls.close();
			await members.close();
			rmSync(directory, { recursive: true });
		}
	});
});
