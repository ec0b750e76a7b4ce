import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, jest, test } from '@jest/globals';
import { demoSignIns } from '../../scripts/start/demo-sign-ins.ts';
import { useStarts } from './use-starts.ts';

jest.setTimeout(120_000);

const root = fileURLToPath(new URL('../../', import.meta.url));
const { PATH: path = '' } = process.env;
const starts = useStarts(path);
const { start, post } = starts;

/** `npm run demo:remove` without npm. */
async function removeDemo(): Promise<{ code: number; said: string[] }> {
	const child = spawn(process.execPath, ['scripts/demo-remove.ts'], {
		cwd: root,
		env: { PATH: path, DATA_DIR: starts.dataDir(), PORT: String(starts.port()) },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let text = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			text += chunk.toString();
		});
	}
	const [code] = (await once(child, 'close')) as [number];
	return { code, said: text.trim().split('\n') };
}

const [administrator] = demoSignIns.users;
const signIn = () => post('/auth/login', { email: administrator?.email, password: demoSignIns.password });
const note =
	'auth: no account is an administrator now: the next start makes one with ADMIN_EMAIL and ADMIN_PASSWORD';
/** What was removed, as `context records` → number; the notes beside it. */
function counts(said: readonly string[]): { removed: Record<string, number>; notes: string[] } {
	const found = said.map((line) => /^(\w+): (\d+) demo ([\w ]+) removed$/.exec(line));
	const removed = found.flatMap((match) =>
		match ? [[`${match[1]} ${match[3]}`, Number(match[2])] as const] : [],
	);
	return { removed: Object.fromEntries(removed), notes: said.filter((_line, index) => !found[index]) };
}

function mustBeEverything({ code, said }: { code: number; said: string[] }): void {
	const { removed, notes } = counts(said);
	expect([code, notes]).toEqual([0, [note]]);
	expect(removed).toMatchObject({ 'masterdata venues': 3, 'auth accounts': 5 });
	expect(Object.values(removed)).not.toContain(0);
}

function mustBeNothing({ code, said }: { code: number; said: string[] }): void {
	const { removed } = counts(said);
	expect([code, new Set(Object.values(removed))]).toEqual([0, new Set([0])]);
}

describe('npm run demo:remove', () => {
	test('removes it while the system runs, once, and it stays away', async () => {
		const first = start();
		await first.up();
		expect((await stat(`${starts.dataDir()}/databases.json`)).mode & 0o077).toBe(0);
		expect(await signIn()).toBe(200);
		mustBeEverything(await removeDemo());
		expect(await signIn()).toBe(401);
		mustBeNothing(await removeDemo());
		await first.end('SIGTERM');
		await expect(stat(`${starts.dataDir()}/databases.json`)).rejects.toMatchObject({ code: 'ENOENT' });

		const boss = { email: 'boss@example.net', password: 'a quiet stable at night' };
		const second = start({ ADMIN_EMAIL: boss.email, ADMIN_PASSWORD: boss.password });
		await second.up();
		expect([await signIn(), await post('/auth/login', boss)]).toEqual([401, 200]);
		expect(second.stdout()).not.toContain('Demo sign-ins');
	});

	test('removes it from a system that is stopped, and leaves nothing running', async () => {
		const first = start();
		await first.up();
		await first.end('SIGTERM');
		mustBeEverything(await removeDemo());
		mustBeNothing(await removeDemo());
		const second = start();
		await second.up();
		expect(await signIn()).toBe(401);
	});

	test('finds nothing where nothing was ever started', async () => {
		const { code, said } = await removeDemo();
		mustBeNothing({ code, said });
		expect(counts(said).notes).toEqual([]);
	});
});
