import { expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { z } from 'zod';
import { openTls } from '../process/run-process.ts';
import { checkSettings, withRules } from './read-settings.ts';
import { tlsRule, tlsSettings } from './tls-settings.ts';

const schema = withRules(z.object(tlsSettings), [tlsRule]);
const file = import.meta.filename;

test.each<[Record<string, string>, string[]]>([
	[{}, []],
	[{ TLS_CERT: file, TLS_KEY: file, TLS_CA: file }, []],
	[{ TLS_CERT: file, TLS_KEY: file }, ['must be set together with TLS_KEY and TLS_CA']],
	[{ TLS_CA: file }, ['must be set together with TLS_KEY and TLS_CA']],
	[{ TLS_CERT: `${file}.missing`, TLS_KEY: file, TLS_CA: file }, ['must be the path of a readable file']],
])('%j is refused for %j', (env, expected) => {
	expect(checkSettings(schema, env).violations.map(({ rule }) => rule)).toEqual(expected);
});

test('files without a certificate are a violation that names the setting', async () => {
	const opened = openTls(
		{ TLS_CERT: file, TLS_KEY: file, TLS_CA: file },
		{ name: 'members-service', logger: silentLogger() },
	);
	await expect(opened).rejects.toThrow(/TLS_CERT: is not usable: TLS_CA contains no certificate/);
});
