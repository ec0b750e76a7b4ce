import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readBuildInfo, readVersion } from './build-info.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
let root: string;

beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), 'checkout-'));
});

afterEach(() => rm(root, { recursive: true }));

async function files(contents: Record<string, string>): Promise<void> {
	for (const [path, text] of Object.entries(contents)) {
		await mkdir(join(root, path, '..'), { recursive: true });
		await writeFile(join(root, path), text);
	}
}

const read = (settings = {}, folder = root) => readBuildInfo(settings, { root: folder, version: '1.2.3' });

describe('the commit', () => {
	test('is the one in the settings, and no checkout is read', async () => {
		await files({ '.git/HEAD': `${'f'.repeat(40)}\n` });
		expect(await read({ BUILD_COMMIT: commit, BUILD_TIME: '2026-03-01T06:00:00Z' })).toEqual({
			application: { name: 'paddock-gateway', version: '1.2.3' },
			build: { time: '2026-03-01T06:00:00Z' },
			git: { commit, branch: null },
			node: { version: process.version },
		});
	});

	test.each<[string, Record<string, string>, string | null]>([
		[
			'of a branch',
			{ '.git/HEAD': 'ref: refs/heads/feat/x\n', '.git/refs/heads/feat/x': `${commit}\n` },
			'feat/x',
		],
		['of no branch', { '.git/HEAD': `${commit}\n` }, null],
		[
			'of a packed branch',
			{
				'.git/HEAD': 'ref: refs/heads/main\n',
				'.git/packed-refs': `# pack-refs\n${'e'.repeat(40)} refs/heads/not-main\n${commit} refs/heads/main\n`,
			},
			'main',
		],
	])('%s is that of the checkout', async (_name, contents, branch) => {
		await files(contents);
		expect((await read()).git).toEqual({ commit, branch });
	});

	test('of a worktree is found where the worktree points to', async () => {
		await files({
			'work/.git': 'gitdir: ../main/.git/worktrees/work\n',
			'main/.git/worktrees/work/HEAD': 'ref: refs/heads/x\n',
			'main/.git/worktrees/work/commondir': '../..\n',
			'main/.git/refs/heads/x': `${commit}\n`,
		});
		expect((await read({}, join(root, 'work'))).git).toEqual({ commit, branch: 'x' });
	});

	test('is unknown without a checkout', async () => {
		expect(await read()).toMatchObject({ git: { commit: null, branch: null }, build: { time: null } });
	});

	test('is unknown in a checkout without a commit', async () => {
		await files({ '.git/HEAD': 'ref: refs/heads/main\n' });
		expect((await read()).git).toEqual({ commit: null, branch: 'main' });
	});
});

test('the version is that of the API, not of the workspace', async () => {
	// Only the project and the client library get a new version with a release.
	const openapi = await readFile(new URL('../../../openapi.yaml', import.meta.url), 'utf8');
	expect(parse(openapi).info.version).toBe(await readVersion());
});
