import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, jest, test } from '@jest/globals';
import { compileCache } from '@paddock/testing';
import { demoSignIns } from '../../scripts/start/banner.ts';
import { useStarts } from './use-starts.ts';

jest.setTimeout(120_000);

const root = fileURLToPath(new URL('../../', import.meta.url));
const { PATH: path = '' } = process.env;
const starts = useStarts(path);
const { start, post } = starts;

/** Runs the script of `npm run demo:remove`. */
async function removeDemo(): Promise<{ code: number; lines: string[] }> {
	const child = spawn(process.execPath, ['scripts/demo-remove.ts'], {
		cwd: root,
		env: { PATH: path, ...compileCache, DATA_DIR: starts.dataDir(), PORT: String(starts.port()) },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let text = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			text += chunk.toString();
		});
	}
	const [code] = (await once(child, 'close')) as [number];
	return { code, lines: text.trim().split('\n') };
}

const [administrator] = demoSignIns.users;
const signIn = () => post('/auth/login', { email: administrator?.email, password: demoSignIns.password });
const note =
	'auth: no account is an administrator now: the next start makes one with ADMIN_EMAIL and ADMIN_PASSWORD';
/** Numbers of removed records by `context records`, and the other lines. */
function counts(lines: readonly string[]): { removed: Record<string, number>; notes: string[] } {
	const found = lines.map((line) => /^(\w+): (\d+) demo ([\w ]+) removed$/.exec(line));
	const removed = found.flatMap((match) =>
		match ? [[`${match[1]} ${match[3]}`, Number(match[2])] as const] : [],
	);
	return { removed: Object.fromEntries(removed), notes: lines.filter((_line, index) => !found[index]) };
}

/** @param started the contexts whose demo data there was */
function expectAllRemoved({ code, lines }: { code: number; lines: string[] }, started = /./): void {
	const { removed, notes } = counts(lines);
	expect([code, notes]).toEqual([0, [note]]);
	expect(removed).toMatchObject({ 'masterdata venues': 3, 'auth accounts': 5 });
	for (const [records, number] of Object.entries(removed))
		expect([records, number > 0]).toEqual([records, started.test(records)]);
}

function expectNoneRemoved({ code, lines }: { code: number; lines: string[] }): void {
	const { removed } = counts(lines);
	expect([code, new Set(Object.values(removed))]).toEqual([0, new Set([0])]);
}

describe('npm run demo:remove', () => {
	test('removes demo data of a running system once, and restarts do not restore it', async () => {
		const first = start();
		await first.up();
		expect((await stat(`${starts.dataDir()}/databases.json`)).mode & 0o077).toBe(0);
		expect(await signIn()).toBe(200);
		expectAllRemoved(await removeDemo());
		expect(await signIn()).toBe(401);
		expectNoneRemoved(await removeDemo());
		await first.end('SIGTERM');
		await expect(stat(`${starts.dataDir()}/databases.json`)).rejects.toMatchObject({ code: 'ENOENT' });

		const boss = { email: 'boss@example.net', password: 'a quiet stable at night' };
		const second = start({ CONTEXTS: 'auth', ADMIN_EMAIL: boss.email, ADMIN_PASSWORD: boss.password });
		await second.up();
		// The start itself signs in nowhere.
		const metrics = await (await fetch(`http://127.0.0.1:${starts.port() + 1}/metrics`)).text();
		expect(metrics).not.toMatch(/^auth_sign_in_attempts_total\{/m);
		expect([await signIn(), await post('/auth/login', boss)]).toEqual([401, 200]);
		expect(second.stdout()).not.toContain('Demo sign-ins');
	});

	test('removes demo data of a stopped system, and leaves no process', async () => {
		const first = start({ CONTEXTS: 'auth,masterdata' });
		await first.up();
		await first.end('SIGTERM');
		expectAllRemoved(await removeDemo(), /^(auth|masterdata) /);
		expectNoneRemoved(await removeDemo());
		const second = start({ CONTEXTS: 'auth' });
		await second.up();
		expect(await signIn()).toBe(401);
	});

	test('removes nothing if the system was never started', async () => {
		const { code, lines } = await removeDemo();
		expectNoneRemoved({ code, lines });
		expect(counts(lines).notes).toEqual([]);
	});
});
