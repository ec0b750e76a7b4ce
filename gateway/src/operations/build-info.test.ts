import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeWithPrograms } from '@paddock/testing';
import { parse } from 'yaml';
import { readBuildInfo, readVersion } from './build-info.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
let root: string;

beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), 'checkout-'));
});

afterEach(() => rm(root, { recursive: true }));

const read = (settings = {}, folder = root) => readBuildInfo(settings, { root: folder, version: '1.2.3' });

const git = (...words: string[]) =>
	execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
		cwd: root,
		encoding: 'utf8',
	}).trim();

test('the commit is the one in the settings, and no checkout is read', async () => {
	expect(await read({ BUILD_COMMIT: commit, BUILD_TIME: '2026-03-01T06:00:00Z' })).toEqual({
		application: { name: 'paddock-gateway', version: '1.2.3' },
		build: { time: '2026-03-01T06:00:00Z' },
		git: { commit, branch: null },
		node: { version: process.version },
	});
});

test('the commit is unknown without a checkout', async () => {
	expect(await read()).toMatchObject({ git: { commit: null, branch: null }, build: { time: null } });
});

describeWithPrograms(['git'], 'the commit of a checkout', () => {
	test('is read with its branch, also without a branch; not by a folder inside it', async () => {
		git('init', '--quiet', '--initial-branch', 'feat/x');
		expect((await read()).git).toEqual({ commit: null, branch: null });
		git('commit', '--quiet', '--allow-empty', '--message', 'first');
		const head = git('rev-parse', 'HEAD');
		expect((await read()).git).toEqual({ commit: head, branch: 'feat/x' });
		await mkdir(join(root, 'inside'));
		expect((await read({}, join(root, 'inside'))).git).toEqual({ commit: null, branch: null });
		git('checkout', '--quiet', '--detach');
		expect((await read()).git).toEqual({ commit: head, branch: null });
	});
});

test('the version is that of the API, not of the workspace', async () => {
	// Only the project and the client library get a new version with a release.
	const openapi = await readFile(new URL('../../../openapi.yaml', import.meta.url), 'utf8');
	expect(parse(openapi).info.version).toBe(await readVersion());
});
