import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { nodeEnvironment, projectRoot } from '../../scripts/start/node-process.ts';

/** Loads the module in a process of its own. @returns its output, and the CommonJS files that it has loaded */
async function load(module: string): Promise<{ output: string; files: string }> {
	const program = `
		import { createRequire } from 'node:module';
		await import('./scripts/start/${module}');
		console.error(Object.keys(createRequire(import.meta.url).cache).join('\\n'));`;
	const { stdout, stderr } = await promisify(execFile)(
		process.execPath,
		['--input-type=module', '--eval', program],
		{ cwd: projectRoot, env: nodeEnvironment({}) },
	);
	return { output: stdout, files: stderr };
}

const ofServices = /node_modules\/(express|winston|prom-client|jsonwebtoken|ioredis|consul)\//;

test('the settings are checked without loading servers, logs, metrics or tokens', async () => {
	const { output, files } = await load('print-settings-report.ts');
	expect(JSON.parse(output)).toMatchObject({ violations: [] });
	expect(files).toMatch(/node_modules\/fastest-levenshtein\//);
	expect(files).not.toMatch(ofServices);
});

// The process of `npm start` runs as long as the system, and nothing starts before it has loaded its code.
test('the start itself loads neither servers, logs nor metrics', async () => {
	const { files } = await load('bring-up.ts');
	expect(files).toMatch(/node_modules\/pg\//);
	expect(files).not.toMatch(ofServices);
});
