import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { MutualTls } from '@paddock/discovery';
import { createTestAuthority, eventually, type TestAuthority, type TestCertificate } from '@paddock/testing';
import { describeWithPrograms } from '../../testing/src/describe-with-programs.ts';

describeWithPrograms(['openssl'], 'the files of mutual TLS', () => {
	let directory = '';
	let authority: TestAuthority;
	let other: TestAuthority;
	let members: TestCertificate;
	let opened: MutualTls | undefined;

	beforeAll(() => {
		directory = mkdtempSync(join(tmpdir(), 'tls-files-'));
		authority = createTestAuthority(directory);
		other = createTestAuthority(directory, 'other');
		members = authority.issue('members-service');
	});
	afterAll(() => rmSync(directory, { recursive: true, force: true }));
	afterEach(() => opened?.close());

	async function open(files: TestCertificate): Promise<MutualTls> {
		opened = await authority.open('members-service', files);
		return opened;
	}

	const issueMembers = (...options: string[]) =>
		authority.issueWith('members-service', '-addext', 'subjectAltName=DNS:members-service', ...options);

	test('files behind the symbolic link `..data` are replaced together', async () => {
		const mount = mkdtempSync(join(directory, 'mount-'));
		const publish = (version: string, from: TestCertificate): void => {
			const data = mkdtempSync(join(mount, version));
			for (const file of ['cert', 'key', 'ca'] as const) copyFileSync(from[file], join(data, file));
			symlinkSync(data, join(mount, '..data_tmp'));
			renameSync(join(mount, '..data_tmp'), join(mount, '..data'));
		};
		publish('..1', members);
		const linked = { cert: '', key: '', ca: '' };
		for (const file of ['cert', 'key', 'ca'] as const) {
			linked[file] = join(mount, file);
			symlinkSync(join('..data', file), linked[file]);
		}
		const tls = await open(linked);
		const before = tls.server().cert;
		publish('..2', authority.issue('members-service'));
		await eventually('the new certificate', () => tls.server().cert !== before);
	});

	test.each<[string, () => TestCertificate]>([
		['key values mismatch', () => ({ ...members, key: other.issue('gateway').key })],
		['TLS_CA contains no certificate', () => ({ ...members, ca: members.key })],
		['Host: members-service. is not in the cert', () => authority.issue('gateway')],
		['Cert does not contain a DNS name', () => authority.issueWith('members-service')],
		['unable to verify the first certificate', () => ({ ...members, ca: other.ca })],
		['INVALID_PURPOSE', () => issueMembers('-extensions', 'server')],
	])('files are refused at the start: %s', async (reason, files) => {
		await expect(open(files())).rejects.toThrow(reason);
	});

	test('a certificate expires with its authority', async () => {
		const tls = await open(issueMembers('-days', '60'));
		const { validTo } = new X509Certificate(readFileSync(authority.ca));
		expect(tls.expiresAt()).toEqual(new Date(validTo));
	});
});
