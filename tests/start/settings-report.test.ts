import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { nodeEnvironment, projectRoot } from '../../scripts/start/node-command.ts';

const program = `
	import { createRequire } from 'node:module';
	await import('./scripts/start/print-settings-report.ts');
	console.error(Object.keys(createRequire(import.meta.url).cache).join('\\n'));
`;

test('the settings are checked without loading servers, logs, metrics or tokens', async () => {
	const { stdout, stderr } = await promisify(execFile)(
		process.execPath,
		['--input-type=module', '--eval', program],
		{ cwd: projectRoot, env: nodeEnvironment({}) },
	);
	expect(JSON.parse(stdout)).toMatchObject({ violations: [] });
	expect(stderr).toMatch(/node_modules\/fastest-levenshtein\//);
	expect(stderr).not.toMatch(/node_modules\/(express|winston|prom-client|jsonwebtoken|ioredis|consul)\//);
});
