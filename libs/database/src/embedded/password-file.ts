import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { errorCode } from '../error-code.ts';

/**
 * The password of a database role of this installation: random, generated on first use, stored in `file` (JSON, mode
 * 0600).
 * @throws Error when the file can't be read or written, or has other content.
 */
export async function passwordOf(file: string, role: string): Promise<string> {
	const passwords = await readPasswords(file);
	const known = passwords.get(role);
	if (known !== undefined) return known;
	const made = randomBytes(24).toString('base64url');
	passwords.set(role, made);
	const partial = `${file}.new`;
	await writeFile(partial, `${JSON.stringify(Object.fromEntries(passwords), null, '\t')}\n`, { mode: 0o600 });
	await rename(partial, file);
	return made;
}

async function readPasswords(file: string): Promise<Map<string, string>> {
	let text: string;
	try {
		text = await readFile(file, 'utf8');
	} catch (error) {
		if (errorCode(error) === 'ENOENT') return new Map();
		throw error;
	}
	const entries: [string, unknown][] = Object.entries(JSON.parse(text));
	const passwords = new Map<string, string>();
	for (const [role, password] of entries) {
		if (typeof password !== 'string') throw new Error(`${file} is damaged: ${role} has no password`);
		passwords.set(role, password);
	}
	return passwords;
}
