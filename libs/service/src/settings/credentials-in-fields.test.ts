import { describe, expect, test } from '@jest/globals';
import { emailAddress, webAddress } from '../fields/field-schemas.ts';
import { traceSettings } from './trace-settings.ts';

describe('a web address', () => {
	test.each([
		'https://example.org',
		'https://example.org/@rider?mail=a@b.at#x@y',
		'http://example.org:8080/a:b@c',
		'https://example.org?user@host',
		'https://example.org#user@host',
	])('may be %s', (address) => {
		expect(webAddress.safeParse(address).success).toBe(true);
	});

	test.each([
		'https://user@example.org',
		'https://user:secret@example.org/',
		'https://:secret@example.org',
		'https://@example.org',
		'https://:@example.org',
		'HTTPS://user:secret@example.org',
		'http://bank.example@other.example/login',
		'https://user%40x:a@example.org:443/a',
		'https:user:secret@example.org',
		'https:\\\\user:secret@example.org',
	])('has no credentials: %s', (address) => {
		expect(webAddress.safeParse(address).success).toBe(false);
	});
});

describe('an e-mail address', () => {
	test('has at most 64 characters before the @', () => {
		expect(emailAddress.safeParse(`${'a'.repeat(64)}@example.org`).success).toBe(true);
		expect(emailAddress.safeParse(`${'a'.repeat(64)}@müller.example`).success).toBe(true);
		for (const domain of ['example.org', 'müller.example']) {
			const { error } = emailAddress.safeParse(`${'a'.repeat(65)}@${domain}`);
			expect(error?.issues.map(({ message }) => message)).toEqual([
				'must have at most 64 characters before the @',
			]);
		}
	});
});

describe('the address of a collector', () => {
	const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = traceSettings;
	test.each(['http://user:secret@collector:4318', 'https://token@collector', 'https://@collector'])(
		'has no credentials: %s',
		(address) => {
			expect(endpoint.safeParse(address).success).toBe(false);
			expect(endpoint.safeParse('http://collector:4318/@tenant').success).toBe(true);
		},
	);
});
